// Releases of norms of all partners over a real database: four times a year, each once, whatever clocks and processes do.
import { randomBytes } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { createNormLayout } from "../../src/products/values-bridge/norms/layout.ts";
import { countHistograms } from "../../src/products/values-bridge/norms/pool/histograms.ts";
import { NormSums } from "../../src/products/values-bridge/norms/sums.ts";
import { findPooledNorms } from "../../src/services/norms/norms.ts";
import { releasePools, setParticipation } from "../../src/services/norms/pool.ts";
import { someAssessment, someId } from "../support/builders.ts";
import { deadline, signal } from "../support/deadline.ts";
import { testDependencies } from "../support/dependencies.ts";
import { storesOfFile } from "../support/of-file.ts";
import { assessorOf, builtIn } from "../values-bridge/quality/models.ts";

const layout = createNormLayout(assessorOf(builtIn).compiled);
const january = Date.UTC(2027, 0, 1);
const april = Date.UTC(2027, 3, 1);
const month = 30 * 24 * 60 * 60 * 1000;

const database = await storesOfFile();
await database.assessments.insertAssessment(someAssessment({ definition: builtIn, product: builtIn.product }), signal);
let now: number;

beforeEach(async () => {
  now = january;
  const tables = ["norm_pool_counts", "norm_pool_partners", "norm_pool_releases", "norm_pool_quarters"];
  for (const table of tables) await database.connection.query("DELETE FROM ??", [table]);
});

const dependencies = () => testDependencies(database, { clock: () => now });
const release = (changes: object = {}) => releasePools({ ...dependencies(), random: randomBytes, ...changes }, signal);

/** A partner with so many people who all answered alike. */
async function partnerWith(people: number, { takesPart = true, language = "en" } = {}): Promise<string> {
  const partner = { id: someId(), name: "Partner", internal: false, createdAt: new Date(january) };
  await database.identities.insertPartner(partner, signal);
  const sums = new NormSums(layout);
  const answers = Array.from({ length: 152 }, (_, place) => 1 + ((place * 5) % 7));
  sums.add({ answers, completedAt: new Date(january), isHosted: false });
  const histograms = countHistograms(sums).map((counts) => counts.map((count) => people * count));
  const content = Buffer.from(JSON.stringify({ people, histograms }));
  const since = await setParticipation(dependencies(), partner.id, true, deadline);
  if (since === null) throw new Error("it takes no part");
  const changes = { published: [], withdrawn: [], counts: [{ assessmentId: 1, language, since, counts: content }] };
  const run = { partnerId: partner.id, countedUntil: since, sessions: people };
  await database.norms.saveRun(run, null, changes, signal);
  if (!takesPart) await setParticipation(dependencies(), partner.id, takesPart, deadline);
  return partner.id;
}

/** Enough people for a release. */
async function enough(language = "en"): Promise<string> {
  for (let partner = 0; partner < 2; partner += 1) await partnerWith(1000, { language });
  return partnerWith(600, { language });
}

const findNorms = async (language = "en") => {
  const assessment = await dependencies().catalogue.getPublished(builtIn.product);
  return findPooledNorms(dependencies(), assessment, language, deadline);
};

test("norms are released at the beginning of a quarter, once, and stay the same until the next", async () => {
  await enough();
  expect(await findNorms()).toBeNull();
  expect(await release()).toBe(1);
  const first = await findNorms();
  expect(first).toMatchObject({
    about: { number: 1, released: new Date(january).toISOString() },
    numbers: { values: { length: 19 } },
  });
  await partnerWith(500);
  for (const later of [january, january + month, april - 1]) {
    now = later;
    expect(await release()).toBe(0);
  }
  expect(await findNorms()).toEqual(first);
  now = april;
  expect(await release()).toBe(1);
  expect(await findNorms()).toMatchObject({ about: { number: 2, released: new Date(april).toISOString() } });
});

test("norms are released late if no process ran in time", async () => {
  await enough();
  now = january + month;
  expect(await release()).toBe(1);
});

test("a release waits for the next quarter if there are too few people, however many come in between", async () => {
  await partnerWith(1000);
  expect(await release()).toBe(0);
  await enough();
  now = january + month;
  expect(await release()).toBe(0);
  now = april;
  expect(await release()).toBe(1);
  // Nothing was spent on the one that was not made.
  expect(await findNorms()).toMatchObject({ about: { number: 1 } });
});

test("each language has releases of its own", async () => {
  await enough("en");
  await partnerWith(1000, { language: "de" });
  expect(await release()).toBe(1);
  expect(await findNorms("de")).toBeNull();
});

test("norms are released eight times at most", async () => {
  await enough();
  for (let quarter = 0; quarter < 10; quarter += 1) {
    now = Date.UTC(2027, 3 * quarter, 1);
    await release();
  }
  expect(await findNorms()).toMatchObject({
    about: { number: 8, released: new Date(Date.UTC(2027, 21, 1)).toISOString() },
  });
});

test("a release leaves out partners that do not take part", async () => {
  await partnerWith(1000, { takesPart: false });
  expect(await release()).toBe(0);
});

test("a release leaves out people who were counted before their partner left and came back", async () => {
  const id = await enough();
  await setParticipation(dependencies(), id, false, deadline);
  now += 1;
  await setParticipation(dependencies(), id, true, deadline);
  expect(await release()).toBe(0);
});

test("norms are not released again when the clock goes back", async () => {
  await enough();
  now = april;
  expect(await release()).toBe(1);
  const first = await findNorms();
  now = january;
  expect(await release()).toBe(0);
  now = april;
  expect(await release()).toBe(0);
  expect(await findNorms()).toEqual(first);
});

test("processes that release at the same time store one release", async () => {
  await enough();
  const counts = await Promise.all([release(), release(), release(), release()]);
  expect(counts.reduce((sum, each) => sum + each, 0)).toBe(1);
  const [rows] = await database.connection.query("SELECT number FROM norm_pool_releases");
  expect(rows).toEqual([{ number: 1 }]);
});

test("a release that was lost before it was stored is computed again, and was published to nobody", async () => {
  await enough();
  const saveRelease = () => Promise.reject(new Error("the process ends here"));
  await expect(release({ normPools: { ...dependencies().normPools, saveRelease } })).rejects.toThrow("ends here");
  expect(await findNorms()).toBeNull();
  expect(await release()).toBe(1);
});

test("a release that was stored before its process ended stays, and the others of the quarter follow", async () => {
  await enough("de");
  await enough("en");
  const saveDecidedQuarter = () => Promise.reject(new Error("the process ends here"));
  const { normPools } = dependencies();
  let saved = 0;
  const saveRelease: typeof normPools.saveRelease = (...of) => {
    saved += 1;
    return saved > 1 ? Promise.reject(new Error("the process ends here")) : normPools.saveRelease(...of);
  };
  await expect(release({ normPools: { ...normPools, saveRelease, saveDecidedQuarter } })).rejects.toThrow("ends");
  const first = await findNorms("de");
  expect(first).toMatchObject({ about: { number: 1 } });
  expect(await release()).toBe(1);
  expect(await findNorms("de")).toEqual(first);
  expect(await findNorms("en")).toMatchObject({ about: { number: 1 } });
});
