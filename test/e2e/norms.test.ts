// Norms through the whole service: once released they are told over every door, and erasing restores every number.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countSessions } from "../../src/domain/norms/count.ts";
import { releaseNorms } from "../../src/domain/norms/release.ts";
import { openDatabase } from "../../src/store/database.ts";
import { createStores, type Stores } from "../../src/store/stores.ts";
import { addCaller, startTestApp, type TestApp } from "../support/app.ts";
import { at, someRecording, someSession } from "../support/builders.ts";
import { pas } from "../support/command.ts";
import { testDomain } from "../support/domain.ts";
import type { Door } from "../support/doors.ts";
import { restDoor } from "../support/rest-door.ts";
import { connectDoor, grpcDoor } from "../support/rpc-door.ts";
import { vector } from "../values-bridge/quality/vectors.ts";
import { bodyOf } from "./cases/case.ts";

const { signal } = new AbortController();
const attentive = vector<{ answers: readonly number[] }, unknown>("P04").input.answers;
const dayMs = 24 * 60 * 60 * 1000;

let app: TestApp;
let stores: Stores;
let db: ReturnType<typeof openDatabase>;
let caller: { partnerId: string; token: string };
let person: { externalId: string; sessionId: string };

beforeAll(async () => {
  app = await startTestApp({ NORMS_INTERVAL_SECONDS: "0" });
  db = openDatabase({ address: app.database.address, poolSize: 4, warn: () => undefined });
  stores = createStores(db);
  caller = await addCaller(app);
  for (let seed = 0; seed < 120; seed += 1) await complete(`person ${seed}`, answersOf(seed), seed);
  await complete("person 0", answersOf(1000), 30 * dayMs);
  await count();
  expect(await releaseNorms(domain(), signal)).toBe(1);
  const [latest] = [await stores.sessions.findLatestOutcome("values-bridge", caller.partnerId, "person 0", signal)];
  person = { externalId: "person 0", sessionId: latest?.sessionId ?? "" };
});
afterAll(async () => {
  await db.destroy();
  await app.stop();
});

const as = () => ({ token: caller.token });
const domain = () => testDomain(stores);
/** Until none is left: a session that the log of events holds at the time is passed over. */
const count = async () => {
  while ((await countSessions(domain(), signal, async () => true)) > 0);
};

/** Attentive answers, some of them a point higher or lower. */
function answersOf(seed: number): number[] {
  return attentive.map((rating, place) => {
    const shift = ((place * 7919 + seed * 104_729) % 13) % 5 === 0 ? ((place + seed) % 2 === 0 ? 1 : -1) : 0;
    return Math.min(7, Math.max(1, rating + shift));
  });
}

async function complete(externalId: string, answers: readonly number[], ms: number): Promise<void> {
  const session = someSession({ partnerId: caller.partnerId, externalId });
  await stores.sessions.insertSession(session, signal);
  const assessment = await domain().catalogue.byId(1);
  const results = assessment.resultsCodec.encode(assessment.scorer.score(answers));
  const completion = { ...someRecording(answers), completedAt: at(ms), results };
  await stores.sessions.saveCompletion(session.id, 0, completion, signal);
}

async function sums(): Promise<string[]> {
  const rows = await db("norm_sums as n")
    .join("norm_sets as s", "s.id", "n.set_id")
    .select(["s.live", "n.sums"])
    .orderBy("s.id");
  return rows.map(({ live, sums: bytes }) => `${live} ${bytes.toString("hex")}`);
}

describe.each([
  ["REST", () => restDoor(app.httpUrl)],
  ["gRPC", () => grpcDoor(app.grpcAddress)],
  ["Connect", () => connectDoor(app.httpUrl, true)],
] as const)("over %s", (_, open) => {
  let door: Door;
  beforeAll(() => {
    door = open();
  });
  afterAll(() => door.close());

  test("released norms are told, and how a person stands among them", async () => {
    const { partner, pooled } = bodyOf(await door.getNorms(as()));
    expect(partner).toMatchObject({ norms: { n: 120, provisional: true }, reason: null, retestReason: "too_few" });
    expect(pooled).toMatchObject({ norms: null, reason: "waiting" });
    const { values } = partner.norms as { values: { ideal: { percentiles: number[]; mean: number } }[] };
    expect(values).toHaveLength(19);
    expect(values[0]?.ideal.percentiles).toHaveLength(25);
    const { quality } = bodyOf(await door.getQuality(as(), person.sessionId));
    const { norms, error } = quality as {
      error: { values: { ideal: { score: number } }[] };
      norms: { values: { ideal: { percentile: number } }[] };
    };
    expect(norms).toMatchObject({ n: 120, provisional: true, language: "und", scope: "partner" });
    const [score, standing] = [error.values[0]?.ideal.score ?? 0, norms.values[0]?.ideal];
    expect(standing?.percentile).toBe(values[0]?.ideal.percentiles[Math.round((score / 100) * 24)]);
  });

  test("a change is judged by the error of measurement while there are no retests", async () => {
    const { change } = bodyOf(await door.getChange(as(), person.externalId));
    expect(change.norms).toMatchObject({ basis: "reliability", n: 120, scope: "partner", language: "und" });
  });

  test("erasing a person restores every whole number", async () => {
    const before = await sums();
    const externalId = `erased over a door ${randomBytes(4).toString("hex")}`;
    await complete(externalId, answersOf(500), 40 * dayMs);
    await complete(externalId, answersOf(501), 60 * dayMs);
    await count();
    expect(await sums()).not.toEqual(before);
    bodyOf(await door.eraseSubject(as(), externalId));
    expect(await sums()).toEqual(before);
  });
});

test("pas norms rebuild finds the same whole numbers", async () => {
  const before = await sums();
  const { code, stdout } = await pas(["norms", "rebuild"], { DATABASE_URL: app.database.url });
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, changed: 0 });
  expect(await sums()).toEqual(before);
});
