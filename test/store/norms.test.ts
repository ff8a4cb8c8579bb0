// Norms over a real database: whoever completes is counted once, whoever is erased leaves every number as it was.

import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { anonymousSubject } from "../../src/domain/identifiers.ts";
import { withVersions } from "../../src/domain/norms/arithmetic.ts";
import { countSessions } from "../../src/domain/norms/count.ts";
import type { NormKind } from "../../src/domain/norms/norm-arithmetic-port.ts";
import type { NormStore } from "../../src/domain/norms/norm-port.ts";
import { getNorms } from "../../src/domain/norms/norms.ts";
import { computeNorms } from "../../src/domain/norms/pass.ts";
import { rebuildNorms } from "../../src/domain/norms/rebuild.ts";
import { Refusal } from "../../src/kernel/errors/refusal.ts";
import { twinOf } from "../../src/kernel/test-tenant.ts";
import { encodeResults } from "../../src/products/values-bridge/messages/results.ts";
import { exportSubject } from "../../src/services/exports/export-subject.ts";
import { getChange } from "../../src/services/sessions/change.ts";
import { getSessionQuality } from "../../src/services/sessions/quality.ts";
import { eraseSubject } from "../../src/services/subjects/subjects.ts";
import { someAssessment, someErasure, someId, someRecording, someSession } from "../support/builders.ts";
import { openTestStores, type TestStores } from "../support/databases/stores.ts";
import { testDomain } from "../support/domain.ts";
import { builtIn } from "../values-bridge/quality/models.ts";
import { vector } from "../values-bridge/quality/vectors.ts";

const { signal } = new AbortController();
const deadline = { signal, at: Number.MAX_SAFE_INTEGER };
const attentive = vector<{ answers: readonly number[] }, unknown>("P04").input.answers;
const dayMs = 24 * 60 * 60 * 1000;
const begin = Date.UTC(2026, 0, 1);

let database: TestStores;
let partner: string;
let now: number;

beforeAll(async () => {
  database = await openTestStores();
  await database.assessments.insertAssessment(
    someAssessment({ definition: builtIn, product: builtIn.product }),
    signal,
  );
});
afterAll(() => database.close());
beforeEach(async () => {
  partner = someId();
  now = begin;
  for (const table of ["norm_sets", "norm_sums", "norm_numbers", "norm_contributions", "sessions"]) {
    await database.db(table).delete();
  }
});

function domain() {
  const reportDefect = (error: unknown) => {
    throw error;
  };
  return testDomain(database, { reportDefect, clock: () => now });
}

/** An attentive person: the answers of the worked case, some of them one point higher or lower. */
function answersOf(seed: number): number[] {
  return attentive.map((rating, place) => {
    const shift = ((place * 7919 + seed * 104_729) % 13) % 5 === 0 ? ((place + seed) % 2 === 0 ? 1 : -1) : 0;
    return Math.min(7, Math.max(1, rating + shift));
  });
}

interface Taken {
  readonly assessmentId?: number;
  readonly externalId?: string;
  readonly partnerId?: string;
  readonly answers?: readonly (number | null)[];
  readonly completedAt?: number;
  readonly shownLanguage?: string | null;
}

async function complete(taken: Taken = {}): Promise<{ id: string; externalId: string }> {
  const externalId = taken.externalId ?? `person ${someId()}`;
  const { assessmentId = 1, partnerId = partner } = taken;
  const session = someSession({ assessmentId, partnerId, externalId });
  await database.sessions.insertSession(session, signal);
  const answers = taken.answers ?? attentive;
  const recording = someRecording(answers, { shownLanguage: taken.shownLanguage ?? null });
  now += 1;
  const completedAt = new Date(taken.completedAt ?? now);
  const { scorer } = await domain().catalogue.published(builtIn.product);
  const results = encodeResults(scorer.score(answers));
  await database.sessions.saveCompletion(session, 0, { ...recording, completedAt, results }, signal);
  return { id: session.id, externalId };
}

async function completeMany(count: number, taken: Taken = {}): Promise<string[]> {
  const people: string[] = [];
  for (let seed = 0; seed < count; seed += 1) {
    people.push((await complete({ answers: answersOf(seed), ...taken })).externalId);
  }
  return people;
}

const count = () => countSessions(domain(), signal, async () => true);
const erase = (externalId: string, partnerId = partner) =>
  eraseSubject(domain(), { partnerId, clientId: someId(), externalId }, deadline);

async function deleteAnswers(id: string): Promise<void> {
  const { arithmetic } = domain();
  const erase = () => database.sessions.eraseData("answers", [id], someErasure(partner), arithmetic, signal);
  expect(await withVersions(arithmetic, erase)).toBe(1);
}

async function eraseAll(people: readonly string[]): Promise<void> {
  for (const externalId of people) await erase(externalId);
}

/** Every whole number of every set, by its key. */
async function numbers(): Promise<Record<string, string>> {
  const rows = await database
    .db("norm_sets as s")
    .leftJoin("norm_sums as n", { "n.set_id": "s.id", "n.partner_id": "s.partner_id" })
    .select(["s.language", "s.kind", "s.partner_id", "s.live", "n.sums"]);
  return Object.fromEntries(
    rows.map(({ language, kind, partner_id, live, sums }) => [
      `${language} ${kind} ${partner_id.toString("hex")}`,
      `${live} ${sums?.toString("hex") ?? ""}`,
    ]),
  );
}

async function liveIn(kind: NormKind, partnerId = partner, language = "und"): Promise<number> {
  const row = await database
    .db("norm_sets")
    .whereRaw("partner_id = UNHEX(REPLACE(?, '-', '')) AND kind = ? AND language = ?", [
      partnerId,
      kind === "sessions" ? 1 : 2,
      language,
    ])
    .first(["live"]);
  return row?.live ?? 0;
}

const told = async (maySeeOwn = true) => {
  const query = { partnerId: partner, product: builtIn.product, language: undefined, version: undefined, maySeeOwn };
  return (await getNorms(domain(), query, deadline)).partner;
};
const compute = () => computeNorms(domain(), signal);

describe("counting", () => {
  test.each([1, 2, 3, 4])(
    "sessions that were completed in one moment are counted in one pass, %i at a time",
    async (mostAtOnce) => {
      await completeMany(3, { completedAt: begin });
      expect(await countSessions({ ...domain(), mostAtOnce }, signal, async () => true)).toBe(3);
      expect(await liveIn("sessions")).toBe(3);
    },
  );

  test("a session of a test twin counts nowhere, and is looked at once", async () => {
    const { externalId } = await complete();
    await count();
    const before = await numbers();
    const twin = twinOf(partner) ?? "";
    await complete({ partnerId: twin, externalId });
    await complete({ partnerId: twin, externalId, completedAt: now + 30 * 24 * 60 * 60 * 1000 });
    await complete({ partnerId: twin });
    expect(await count()).toBe(3);
    expect(await count()).toBe(0);
    expect(await numbers()).toEqual(before);
    expect(await liveIn("sessions", twin)).toBe(0);
  });

  test("sessions without an external id count nowhere: they may all be of one person", async () => {
    await complete({ externalId: anonymousSubject(randomBytes).externalId });
    await complete({ externalId: anonymousSubject(randomBytes).externalId });
    expect(await count()).toBe(2);
    expect(await numbers()).toEqual({});
  });

  test("a complete and attentive first session counts once, for its partner", async () => {
    await complete();
    expect(await count()).toBe(1);
    expect(await count()).toBe(0);
    expect(await liveIn("sessions")).toBe(1);
  });

  test.each([
    ["with one rating throughout", { answers: attentive.map(() => 4) }],
    ["with an unanswered statement", { answers: attentive.map((rating, i) => (i === 3 ? null : rating)) }],
  ])("a session %s does not count, and neither does a later one of that person", async (_, taken) => {
    const { externalId } = await complete({ ...taken, completedAt: begin });
    await complete({ externalId, completedAt: begin + 8 * dayMs });
    await count();
    expect([await liveIn("sessions"), await liveIn("retests")]).toEqual([0, 0]);
  });

  test("each language of the statements shown is counted apart", async () => {
    await complete({ shownLanguage: "de" });
    await complete();
    await count();
    expect([await liveIn("sessions", partner, "de"), await liveIn("sessions")]).toEqual([1, 1]);
  });

  test.each([
    [7 * dayMs - 1, 0],
    [7 * dayMs, 1],
    [90 * dayMs, 1],
    [90 * dayMs + 1, 0],
  ])("a second session %d ms after the first makes %d retest pairs", async (after, pairs) => {
    const { externalId } = await complete({ completedAt: begin });
    await complete({ externalId, completedAt: begin + after });
    await complete({ externalId, completedAt: begin + 30 * dayMs + after });
    await count();
    expect([await liveIn("sessions"), await liveIn("retests")]).toEqual([
      1,
      Math.max(pairs, after < 7 * dayMs ? 1 : 0),
    ]);
  });

  test("a second session in another language makes no pair, and a third in the first one does", async () => {
    const { externalId } = await complete({ shownLanguage: "de", completedAt: begin });
    await complete({ externalId, completedAt: begin + 8 * dayMs });
    await count();
    expect([await liveIn("retests", partner, "de"), await liveIn("retests")]).toEqual([0, 0]);
    await complete({ externalId, shownLanguage: "de", completedAt: begin + 9 * dayMs });
    await count();
    expect([await liveIn("retests", partner, "de"), await liveIn("retests")]).toEqual([1, 0]);
  });

  test("a batch takes one transaction, whatever versions are in it", async () => {
    const another = someAssessment({ id: 2, definition: builtIn, product: "another" });
    await database.assessments.insertAssessment(another, signal);
    await completeMany(2);
    await completeMany(2, { assessmentId: another.id });
    let begun = 0;
    const counting: NormStore["count"] = (...args) => {
      begun += 1;
      return database.norms.count(...args);
    };
    const deps = { ...domain(), norms: { ...database.norms, count: counting } };
    expect(await countSessions(deps, signal, async () => true)).toBe(4);
    expect(begun).toBe(1);
  });

  test("two processes that count at once count everybody once", async () => {
    await completeMany(60);
    await Promise.all([count(), count(), count()]);
    await count();
    expect(await liveIn("sessions")).toBe(60);
    expect(await rebuildNorms(domain(), deadline.signal)).toMatchObject({ changed: 0 });
  });
});

test("who completed while an assessment cannot be loaded is counted when it can, and is no defect", async () => {
  await complete();
  const byId = () => Promise.reject(new Refusal("unavailable", "The database is away."));
  const reported: unknown[] = [];
  const reportDefect = (error: unknown) => void reported.push(error);
  const deps = { ...domain(), reportDefect, catalogue: { ...domain().catalogue, byId } };
  const away = countSessions(deps as never, signal, async () => true);
  await expect(away).rejects.toMatchObject({ code: "unavailable" });
  expect(reported).toEqual([]);
  await count();
  expect(await liveIn("sessions")).toBe(1);
});

test("a session that cannot be read is reported until it is counted, and holds up nobody", async () => {
  const reported: string[] = [];
  const deps = { ...domain(), reportDefect: (_error: unknown, what: string) => void reported.push(what) };
  const session = someSession({ partnerId: partner, assessmentId: 77 });
  await database.sessions.insertSession(session, signal);
  const completion = { ...someRecording(attentive), completedAt: new Date(begin), results: null };
  await database.sessions.saveCompletion(session, 0, completion, signal);
  await complete();
  const pass = () => countSessions(deps, signal, async () => true);
  // A pass leaves out what somebody has locked, and so may the server for a moment.
  await expect.poll(async () => [await pass(), new Set(reported)]).toEqual([0, new Set(["norms"])]);
  reported.length = 0;
  await pass();
  expect(reported).toEqual([]);
  expect(await liveIn("sessions")).toBe(1);
});

describe("erasing", () => {
  test("a person restores every whole number", async () => {
    await completeMany(5);
    await count();
    const before = await numbers();
    const { externalId } = await complete({ answers: answersOf(99), completedAt: begin });
    await complete({ externalId, answers: answersOf(98), completedAt: begin + 10 * dayMs });
    await count();
    expect(await liveIn("retests")).toBe(1);
    await erase(externalId);
    const after = await numbers();
    for (const [key, value] of Object.entries(before)) expect(after[key]).toBe(value);
    expect([await liveIn("sessions"), await liveIn("retests")]).toEqual([5, 0]);
  });

  test("in any order, with counting in between, leaves the numbers of those who stay", async () => {
    const steps = fc.array(fc.record({ isErasure: fc.boolean(), who: fc.nat(7) }), { minLength: 4, maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const staying = new Map<number, string>();
        partner = someId();
        for (const { isErasure, who } of sequence) {
          const known = staying.get(who);
          if (isErasure && known !== undefined) {
            await erase(known);
            staying.delete(who);
          } else if (!isErasure && known === undefined) {
            staying.set(who, (await complete({ answers: answersOf(who) })).externalId);
            await count();
          }
        }
        expect(await liveIn("sessions")).toBe(staying.size);
        expect(await rebuildNorms(domain(), deadline.signal)).toMatchObject({ changed: 0 });
      }),
      { numRuns: 6 },
    );
  });

  test("while others are counted never makes either wait in a circle", async () => {
    const people = await completeMany(40);
    await count();
    await completeMany(40);
    await Promise.all([count(), eraseAll(people.slice(0, 20)), eraseAll(people.slice(20))]);
    await count();
    expect(await liveIn("sessions")).toBe(40);
    expect(await rebuildNorms(domain(), deadline.signal)).toMatchObject({ changed: 0 });
  });
});

describe("deleting answers alone", () => {
  test("leaves the sums as if the sessions had never been there, and they are not counted again", async () => {
    await completeMany(5);
    await count();
    const before = await numbers();
    const externalId = "person of a pair";
    const first = await complete({ externalId });
    await count();
    const second = await complete({ externalId, completedAt: now + 8 * dayMs });
    await count();
    expect(await liveIn("retests")).toBe(1);
    await deleteAnswers(first.id);
    expect(await liveIn("retests")).toBe(0);
    expect(await numbers()).toMatchObject(before);
    await count();
    expect(await numbers()).toMatchObject(before);
    expect(await rebuildNorms(domain(), deadline.signal)).toMatchObject({ changed: 0 });
    await deleteAnswers(second.id);
    await erase(externalId);
    expect(await numbers()).toMatchObject(before);
  });

  test("of one that is not counted yet keeps it from being counted", async () => {
    const { id } = await complete();
    await deleteAnswers(id);
    await count();
    expect(await liveIn("sessions")).toBe(0);
  });
});

test.each([
  [0, 100, false],
  [1, 100, true],
  [1, 101, false],
  [2, 101, true],
  [1, 0, true],
])("with %i new people of %i, the numbers of a set are to be computed: %s", async (fresh, live, expected) => {
  await complete();
  await count();
  await database.db("norm_sets").update({ fresh, live });
  expect(await database.norms.listStale(10, signal)).toHaveLength(expected ? 1 : 0);
});

describe("rebuilding", () => {
  test("finds the same whole numbers, and puts right those that were changed", async () => {
    await completeMany(7);
    await count();
    const before = await numbers();
    expect(await rebuildNorms(domain(), deadline.signal)).toEqual({ sets: 1, contributions: 7, changed: 0 });
    await database.db("norm_sums").delete();
    expect(await rebuildNorms(domain(), deadline.signal)).toEqual({ sets: 1, contributions: 7, changed: 1 });
    expect(await numbers()).toEqual(before);
  });

  test.each([1, 2, 3, 4])("reaches every set, with %i on a page", async (mostAtOnce) => {
    for (const partnerId of [partner, someId(), someId()]) {
      partner = partnerId;
      await completeMany(2);
    }
    await count();
    const deps = { ...domain(), mostAtOnce };
    expect(await rebuildNorms(deps, deadline.signal)).toEqual({ sets: 3, contributions: 6, changed: 0 });
  });

  test("takes away what a release without norms has erased", async () => {
    await completeMany(3);
    await count();
    const before = await numbers();
    const { id } = await complete({ answers: answersOf(50) });
    await count();
    await database
      .db("sessions")
      .where({ id: Buffer.from(id.replaceAll("-", ""), "hex") })
      .delete();
    expect(await rebuildNorms(domain(), deadline.signal)).toMatchObject({ changed: 1 });
    expect(await numbers()).toEqual(before);
    expect(await rebuildNorms(domain(), deadline.signal)).toMatchObject({ changed: 0 });
  });
});

describe("numbers of a partner's own people", () => {
  const own = { computedAt: new Date(begin), provisional: true };

  test("need 30 people, and a caller who may see individuals", async () => {
    await completeMany(29);
    await count();
    await compute();
    expect((await told()).sessions).toEqual({ reason: "too_few" });
    await complete();
    await count();
    now = begin;
    await compute();
    expect((await told()).sessions).toMatchObject({ own: { ...own, n: 30 } });
    expect(await told(false)).toEqual({
      sessions: { reason: "not_permitted" },
      retests: { reason: "not_permitted" },
    });
  });

  test("lose whoever is erased at the next pass, however many there are", async () => {
    const [first = ""] = await completeMany(200);
    await count();
    await compute();
    await erase(first);
    await compute();
    expect((await told()).sessions).toMatchObject({ own: { n: 199 } });
  });

  test("are computed anew once a hundredth of the people are new", async () => {
    await completeMany(200);
    await count();
    await compute();
    await complete();
    await count();
    await compute();
    expect((await told()).sessions).toMatchObject({ own: { n: 200 } });
    await completeMany(2);
    await count();
    await compute();
    expect((await told()).sessions).toMatchObject({ own: { n: 203 } });
  });

  test("go when hardly anybody is left", async () => {
    const people = await completeMany(30);
    await count();
    await compute();
    await eraseAll(people.slice(1));
    await compute();
    expect((await told()).sessions).toEqual({ reason: "too_few" });
    expect(await database.db("norm_numbers").select("set_id")).toEqual([]);
  });
});

describe("people who were shown statements in two languages", () => {
  const product = builtIn.product;
  const german = { shownLanguage: "de" };
  const address = (sessionId: string) => ({ partnerId: partner, product, sessionId });
  const quality = (sessionId: string) => getSessionQuality(domain(), address(sessionId), deadline);
  const reliable = async (externalId: string) => {
    const query = { partnerId: partner, product, externalId, from: undefined, to: undefined };
    return (await getChange(domain(), query, deadline)).reliable;
  };

  beforeEach(async () => {
    await completeMany(100, german);
    await completeMany(30);
    await count();
    await compute();
  });

  test("are compared with people of the same language, session by session, in the export of a person too", async () => {
    const externalId = "person of two languages";
    const ids: string[] = [];
    for (const taken of [german, {}, german]) ids.push((await complete({ externalId, ...taken })).id);
    const person = { partnerId: partner, product, externalId };
    const deps = { ...domain(), yieldToCalls: async () => undefined };
    const { sessions } = await exportSubject(deps, person, { after: "", pageSize: 0 }, deadline);
    const exported = sessions.map(({ insight }) => insight?.quality.norms);
    expect(exported.map((norms) => [norms?.language, norms?.n])).toEqual([
      ["de", 100],
      ["und", 30],
      ["de", 100],
    ]);
    expect(exported).toEqual(await Promise.all(ids.map(async (id) => (await quality(id)).norms)));
  });

  test("have a change that is judged only if both sessions were in one language", async () => {
    await complete({ externalId: "of one", ...german, answers: answersOf(1) });
    await complete({ externalId: "of one", ...german, answers: answersOf(2) });
    expect(await reliable("of one")).toMatchObject({
      basis: "reliability",
      language: "de",
      translationState: "draft",
      n: 100,
    });
    await complete({ externalId: "of two", answers: answersOf(1) });
    await complete({ externalId: "of two", ...german, answers: answersOf(2) });
    expect(await reliable("of two")).toBeNull();
  });

  test("stand nowhere among others if they did not answer with care", async () => {
    const failed = await complete({ ...german, answers: attentive.map(() => 4) });
    expect(await quality(failed.id)).toMatchObject({ response: { grade: "fail" }, error: null, norms: null });
    const careful = await complete(german);
    expect((await quality(careful.id)).norms).toMatchObject({ language: "de", translationState: "draft", n: 100 });
  });
});
