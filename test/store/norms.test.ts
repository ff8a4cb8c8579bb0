// Norms over a real database: who counts, when other numbers are told, and that an erasure is not told by two readings.

import { randomBytes } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import type { RowDataPacket } from "mysql2/promise";
import { beforeEach, describe, expect, test } from "vitest";
import { createAnonymousSubject } from "../../src/domain/identifiers.ts";
import { AssessmentForm } from "../../src/gen/assessment/v1/assessment_pb.ts";
import { ExportSubjectRequestSchema } from "../../src/gen/assessment/v1/export_service_pb.ts";
import { Refusal } from "../../src/kernel/errors/refusal.ts";
import { toTwinId } from "../../src/kernel/ids.ts";
import { encodeResults } from "../../src/products/values-bridge/messages/results.ts";
import { AssessmentCatalogue } from "../../src/services/assessments/catalogue.ts";
import { exportSubject } from "../../src/services/exports/export-subject.ts";
import { getNorms } from "../../src/services/norms/norms.ts";
import { findCountedPeople } from "../../src/services/norms/people.ts";
import { setParticipation } from "../../src/services/norms/pool.ts";
import { computeNorms, type RunDeps } from "../../src/services/norms/run.ts";
import { getChange, getQuality } from "../../src/services/sessions/results.ts";
import { getSession } from "../../src/services/sessions/sessions.ts";
import { eraseSubject } from "../../src/services/subjects/subject-service.ts";
import type { NormRun } from "../../src/store/norms/norm-store.ts";
import { someAssessment, someErasure, someId, someRecording } from "../support/builders.ts";
import { storeCompleted } from "../support/databases/stored-sessions.ts";
import { batchesOf } from "../support/databases/stores.ts";
import { changesBy } from "../support/databases/whole-rows.ts";
import { deadline, signal } from "../support/deadline.ts";
import { someCall, testDependencies } from "../support/dependencies.ts";
import { storesOfFile } from "../support/of-file.ts";
import { attentive, attentiveAnswers } from "../support/values-bridge/attentive-people.ts";
import { valuesBridge } from "../support/values-bridge/opened.ts";
import { builtIn } from "../values-bridge/quality/models.ts";

const dayMs = 24 * 60 * 60 * 1000;
const begin = Date.UTC(2026, 0, 1);

const database = await storesOfFile();
await database.assessments.insertAssessment(someAssessment({ definition: builtIn, product: builtIn.product }), signal);
let partner: string;
let now: number;

beforeEach(async () => {
  partner = someId();
  now = begin;
  for (const table of ["norm_runs", "norm_numbers", "norm_pool_counts", "sessions"]) {
    await database.connection.query("DELETE FROM ??", [table]);
  }
});

function dependencies() {
  const reportDefect = (error: unknown) => {
    throw error;
  };
  return testDependencies(database, { reportDefect, clock: () => now });
}

interface Taken {
  readonly assessmentId?: number;
  readonly externalId?: string;
  readonly partnerId?: string;
  readonly answers?: readonly (number | null)[];
  readonly completedAt?: number;
  readonly createdAt?: Date;
  readonly shownLanguage?: string | null;
  readonly continues?: string;
}

async function complete(taken: Taken = {}): Promise<{ id: string; externalId: string }> {
  const externalId = taken.externalId ?? `person ${someId()}`;
  const { assessmentId = 1, partnerId = partner, createdAt = new Date(begin) } = taken;
  const session = { assessmentId, partnerId, externalId, createdAt, continues: taken.continues ?? null };
  const answers = taken.answers ?? attentive;
  const recording = someRecording(answers, { shownLanguage: taken.shownLanguage ?? null });
  now += 1;
  const completedAt = new Date(taken.completedAt ?? now);
  const { scorer } = await dependencies().catalogue.getPublished(builtIn.product);
  const results = encodeResults(scorer.score(answers));
  return storeCompleted(database, session, { ...recording, completedAt, results });
}

async function completeMany(count: number, taken: Taken = {}): Promise<string[]> {
  const people: string[] = [];
  for (let seed = 0; seed < count; seed += 1) {
    people.push((await complete({ answers: attentiveAnswers(seed), ...taken })).externalId);
  }
  return people;
}

const compute = (until: Date, changes: Partial<RunDeps> = {}, ofRun = signal) =>
  computeNorms({ ...dependencies(), pause: async () => undefined, ...changes }, until, ofRun);
/** A night has passed. */
async function run(changes: Partial<RunDeps> = {}): Promise<void> {
  now += dayMs;
  await compute(new Date(now), changes);
}
const erase = (externalId: string) => eraseSubject(dependencies(), { partnerId: partner, externalId }, deadline);
async function eraseAll(people: readonly string[]): Promise<void> {
  for (const externalId of people) await erase(externalId);
}

const readNorms = async (maySeeOwn = true, language?: string) => {
  const form = AssessmentForm.LONG;
  const request = { product: builtIn.product, form, ...(language === undefined ? {} : { language }) };
  return (await getNorms(dependencies(), request, { partnerId: partner, ...deadline }, maySeeOwn)).partner;
};
/** How many people are told of; 0: nothing is. */
async function countPeople(language?: string): Promise<number> {
  return (await readNorms(true, language))?.norms?.n ?? 0;
}
/** How many people of the partner count for norms of all partners. */
async function peopleInPool(): Promise<number[]> {
  const [rows] = await database.connection.query<RowDataPacket[]>("SELECT counts FROM norm_pool_counts");
  return rows.map(({ counts }) => JSON.parse(counts.toString()).people);
}

test.each([1, 2, 3, 50])(
  "a run counts each person once, however many sessions it reads at a time: %i",
  async (size) => {
    const people = await completeMany(30);
    for (const externalId of people.slice(0, 5)) await complete({ externalId });
    await run({ batchSizes: batchesOf(size) });
    expect(await countPeople()).toBe(30);
    expect((await database.connection.query("SELECT sessions FROM norm_runs"))[0]).toEqual([{ sessions: 35 }]);
  },
);

test("a run counts no session of a test twin, and none without an external id: they may all be of one person", async () => {
  const twin = toTwinId(partner) ?? "";
  await completeMany(30, { partnerId: twin });
  for (let each = 0; each < 30; each += 1)
    await complete({ externalId: createAnonymousSubject(randomBytes).externalId });
  await run();
  expect((await database.connection.query("SELECT people FROM norm_numbers"))[0]).toEqual([]);
});

test.each([
  ["with one rating throughout", { answers: attentive.map(() => 4) }],
  ["with an unanswered statement", { answers: attentive.map((rating, i) => (i === 3 ? null : rating)) }],
])("a run does not count a session %s, nor a later one of that person", async (_, taken) => {
  await completeMany(29);
  const { externalId } = await complete(taken);
  await complete({ externalId });
  await run();
  expect(await countPeople()).toBe(0);
  await complete();
  await run();
  expect(await countPeople()).toBe(30);
});

test("a run leaves what is completed later to the next one", async () => {
  await completeMany(30);
  await complete({ completedAt: now + 2 * dayMs });
  await run();
  expect(await countPeople()).toBe(30);
});

test("a run is saved once, although several processes compute it at the same time", async () => {
  await completeMany(30);
  const saved: boolean[] = [];
  const saveRun: RunDeps["norms"]["saveRun"] = async (...of) => {
    const isSaved = await database.norms.saveRun(...of);
    saved.push(isSaved);
    return isSaved;
  };
  const norms = { ...database.norms, saveRun };
  await Promise.all([dayMs, dayMs, 2 * dayMs].map((ms) => compute(new Date(now + ms), { norms })));
  expect(saved.toSorted()).toEqual([false, false, true]);
  expect(await countPeople()).toBe(30);
});

test("an interrupted run starts again with the partner that it was at, and counts everybody once", async () => {
  await completeMany(60);
  const interruption = new AbortController();
  const pause = async (_ms: number, ofRun: AbortSignal) => {
    interruption.abort();
    ofRun.throwIfAborted();
  };
  const until = new Date(now + dayMs);
  await expect(compute(until, { pause, batchSizes: batchesOf(20) }, interruption.signal)).rejects.toThrow("aborted");
  expect(await compute(until, { batchSizes: batchesOf(20) })).toEqual({ partners: 1, sessions: 60 });
  expect(await countPeople()).toBe(60);
  expect(await compute(until)).toEqual({ partners: 0, sessions: 0 });
});

test("a run begins with the partners that have the fewest sessions, so that nobody waits for a large one", async () => {
  const large = partner;
  await completeMany(12);
  await run();
  partner = someId();
  await completeMany(2);
  await run();
  const newcomer = someId();
  await complete({ partnerId: newcomer });
  const order: string[] = [];
  const saveRun: RunDeps["norms"]["saveRun"] = (saved: NormRun & { readonly countedUntil: Date }, ...of) => {
    order.push(saved.partnerId);
    return database.norms.saveRun(saved, ...of);
  };
  await run({ norms: { ...database.norms, saveRun } });
  expect(order).toEqual([newcomer, partner, large]);
});

test("a run reports why one partner's norms cannot be saved, computes those of others, and tries again", async () => {
  const broken = partner;
  await completeMany(2);
  partner = someId();
  await completeMany(30);
  const reported: unknown[] = [];
  let isBroken = true;
  const saveRun: RunDeps["norms"]["saveRun"] = (saved, ...of) => {
    if (isBroken && saved.partnerId === broken) throw new RangeError("it cannot be saved");
    return database.norms.saveRun(saved, ...of);
  };
  const norms = { ...database.norms, saveRun };
  const changes = { norms, reportDefect: (error: unknown) => void reported.push(error) };
  const until = new Date(now + dayMs);
  await expect(compute(until, changes)).rejects.toThrow("no norms of 1 partners");
  expect([reported, await countPeople()]).toEqual([[new RangeError("it cannot be saved")], 30]);
  isBroken = false;
  expect(await compute(until, changes)).toEqual({ partners: 1, sessions: 2 });
});

test("a run uses a twentieth of the time, and pauses for ten seconds at most", async () => {
  await completeMany(3);
  const pausesOf = async (workMs: number) => {
    let time = 0;
    const pauses = new Set<number>();
    const monotonic = () => {
      time += workMs;
      return time;
    };
    await run({ monotonic, pause: async (ms) => pauses.add(Math.round(ms)), batchSizes: batchesOf(1) });
    return [...pauses];
  };
  expect([await pausesOf(100), await pausesOf(60_000)]).toEqual([[1_900], [10_000]]);
});

test("a run fails without a defect if an assessment cannot be loaded, and the next one counts", async () => {
  await completeMany(30);
  const getById = () => Promise.reject(new Refusal("unavailable", "The database is away."));
  const loaded = new AssessmentCatalogue(database.assessments, valuesBridge, () => performance.now());
  const catalogue = Object.assign(loaded, { getById });
  await expect(run({ catalogue })).rejects.toMatchObject({ code: "unavailable" });
  await run();
  expect(await countPeople()).toBe(30);
});

test("a run reports a session that cannot be read, and continues with the others", async () => {
  const reported: string[] = [];
  const completion = { ...someRecording(attentive), completedAt: new Date(begin) };
  await storeCompleted(database, { partnerId: partner, assessmentId: 77 }, completion);
  await completeMany(30);
  await run({ reportDefect: (_error, what) => void reported.push(what) });
  expect([reported, await countPeople()]).toEqual([["norms"], 30]);
});

test.each([
  [7 * dayMs - 1, "de", false],
  [7 * dayMs, "de", true],
  [90 * dayMs, "de", true],
  [90 * dayMs + 1, "de", false],
  [7 * dayMs, "en", false],
  [7 * dayMs, null, false],
])("a session %d ms after one in German, in language %s, makes a pair with it: %s", async (after, language, isPair) => {
  const externalId = "somebody";
  const first = await complete({ externalId, completedAt: begin, shownLanguage: "de" });
  const second = await complete({ externalId, completedAt: begin + after, shownLanguage: language });
  now += 100 * dayMs;
  const begun = { externalId: "", id: second.id.replace(/[^-]/g, "0") };
  const page = await database.norms.listSessions(partner, begun, 9, signal);
  const [person] = await findCountedPeople(dependencies(), page, new Date(now));
  expect([person?.first.id, person?.retest?.id]).toEqual([first.id, isPair ? second.id : undefined]);
});

test("a session that took over ratings is no retest, since the first session may have taken over the same ones", async () => {
  const externalId = "somebody";
  const { id: continues } = await complete();
  const first = await complete({ externalId, continues });
  await complete({ externalId, completedAt: begin + 30 * dayMs, continues });
  const fresh = await complete({ externalId, completedAt: begin + 60 * dayMs });
  now += 100 * dayMs;
  const begun = { externalId, id: fresh.id.replace(/[^-]/g, "0") };
  const page = await database.norms.listSessions(partner, begun, 9, signal);
  const people = await findCountedPeople(dependencies(), page, new Date(now));
  expect(people.map((each) => [each.first.id, each.retest?.id])).toEqual([[first.id, fresh.id]]);
});

test("completing a session, and deleting answers or a person, write nothing for norms", async () => {
  const people = await completeMany(31);
  await run();
  const written = await changesBy(database.connection, async () => {
    const { id } = await complete();
    await database.sessions.eraseData("answers", [id], someErasure(partner), signal);
    await erase(people[0] ?? "");
  });
  expect(Object.keys(written).filter((table) => table.startsWith("norm_"))).toEqual([]);
});

test("norms need 30 people, and a caller who may see individuals", async () => {
  await completeMany(29);
  await run();
  expect(await readNorms()).toMatchObject({ reason: "too_few" });
  await complete();
  await run();
  const released = new Date(now).toISOString();
  expect(await readNorms()).toMatchObject({ norms: { released, provisional: true, n: 30 } });
  expect(await readNorms(false)).toEqual({
    norms: null,
    reason: "not_permitted",
    retest: null,
    retestReason: "not_permitted",
  });
});

test("norms are the same before and after one erasure, night after night, whoever else looks", async () => {
  const people = await completeMany(81);
  await run();
  const before = await readNorms();
  await erase(people[40] ?? "");
  for (let night = 0; night < 3; night += 1) {
    await run();
    expect(await readNorms()).toEqual(before);
  }
  // Whoever may read people can subtract all who came: they hide nobody, however many they are.
  await completeMany(40);
  await run();
  expect(await readNorms()).toEqual(before);
  // Of five who are gone, nobody is told apart.
  await eraseAll(people.slice(0, 4));
  await run();
  expect(await countPeople()).toBe(116);
});

test("norms are removed when few or no people are left", async () => {
  const people = await completeMany(30);
  const others = await completeMany(30, { shownLanguage: "de" });
  await run();
  await eraseAll([...people, ...others.slice(1)]);
  await run();
  expect(await readNorms()).toMatchObject({ reason: "too_few" });
  expect((await database.connection.query("SELECT people FROM norm_numbers"))[0]).toEqual([]);
});

describe("people who count for norms of all partners", () => {
  const take = (takesPart: boolean) => setParticipation(dependencies(), partner, takesPart, deadline);
  beforeEach(async () => {
    await database.identities.insertPartner(
      { id: partner, name: "", internal: false, createdAt: new Date(begin) },
      signal,
    );
  });

  test("people who started before their partner took part do not count for norms of all partners", async () => {
    await completeMany(3);
    await run();
    expect(await peopleInPool()).toEqual([]);
    await take(true);
    await completeMany(2, { createdAt: new Date(now - 1) });
    await completeMany(4, { createdAt: new Date(now) });
    // Its ratings may be from before.
    await complete({ externalId: "who continues", createdAt: new Date(now), continues: (await complete()).id });
    await run();
    expect(await peopleInPool()).toEqual([4]);
  });

  test("people stop counting when their partner leaves, and those of before do not count when it returns", async () => {
    await take(true);
    await completeMany(4, { createdAt: new Date(now) });
    await run();
    await take(false);
    await run();
    expect(await peopleInPool()).toEqual([]);
    await take(true);
    await run();
    expect(await peopleInPool()).toEqual([0]);
  });

  test("erased people stop counting with the next run", async () => {
    await take(true);
    const [first = ""] = await completeMany(4, { createdAt: new Date(now) });
    await run();
    await erase(first);
    await run();
    expect(await peopleInPool()).toEqual([3]);
  });
});

describe("people who answered in two languages", () => {
  const product = builtIn.product;
  const german = { shownLanguage: "de" };
  const address = (sessionId: string) => ({ partnerId: partner, product, sessionId });
  const quality = async (sessionId: string) =>
    getQuality(dependencies(), await getSession(dependencies(), address(sessionId), deadline), deadline);
  const reliable = async (externalId: string) => {
    const query = { partnerId: partner, product, externalId, from: undefined, to: undefined };
    return (await getChange(dependencies(), query, deadline)).reliable;
  };

  beforeEach(async () => {
    await completeMany(100, german);
    await completeMany(30);
    await run();
  });

  test("each session is compared with people of its own language, in the export of a person too", async () => {
    const externalId = "person of two languages";
    const ids: string[] = [];
    for (const taken of [german, {}, german]) ids.push((await complete({ externalId, ...taken })).id);
    const request = create(ExportSubjectRequestSchema, { product, externalId });
    const deps = dependencies();
    const { sessions } = await exportSubject(deps, request, someCall(partner));
    const exported = sessions.map((session) => session.quality?.norms);
    expect(exported.map((norms) => [norms?.language, norms?.n])).toEqual([
      ["de", 100],
      ["und", 30],
      ["de", 100],
    ]);
    const { messages } = deps.catalogue.product;
    expect(exported).toEqual(await Promise.all(ids.map(async (id) => messages.toQuality(await quality(id)).norms)));
  });

  test("a change is judged by norms only if both sessions were in one language", async () => {
    await complete({ externalId: "of one", ...german, answers: attentiveAnswers(1) });
    await complete({ externalId: "of one", ...german, answers: attentiveAnswers(2) });
    expect(await reliable("of one")).toMatchObject({
      basis: "reliability",
      language: "de",
      translationState: "draft",
      n: 100,
    });
    await complete({ externalId: "of two", answers: attentiveAnswers(1) });
    await complete({ externalId: "of two", ...german, answers: attentiveAnswers(2) });
    expect(await reliable("of two")).toBeNull();
  });

  test("a person who did not answer with care is not compared with norms", async () => {
    const failed = await complete({ ...german, answers: attentive.map(() => 4) });
    expect(await quality(failed.id)).toMatchObject({ response: { grade: "fail" }, error: null, norms: null });
    const careful = await complete(german);
    expect((await quality(careful.id)).norms).toMatchObject({ language: "de", translationState: "draft", n: 100 });
  });
});
