// A session comes back as it was stored, and a write counts only if nobody wrote in between.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NewSession, StoredSession } from "../../src/domain/ports/sessions.ts";
import { at, someId, someRecording, someResults, someSession } from "../support/builders.ts";
import { openTestStores, type TestStores } from "../support/stores.ts";

const { signal } = new AbortController();
const completion = { ...someRecording([5, null]), completedAt: at(1), results: someResults() };

let database: TestStores;
beforeAll(async () => {
  database = await openTestStores();
});
afterAll(() => database.close());

async function insert(changes: Partial<NewSession> = {}): Promise<string> {
  const session = someSession(changes);
  await database.sessions.insertSession(session, signal);
  return session.id;
}

async function stored(id: string): Promise<StoredSession> {
  const session = await database.sessions.findSession(id, signal);
  if (session === undefined) throw new Error("the session is not stored");
  return session;
}

describe("round trips", () => {
  test.each<Partial<NewSession>>([
    { mode: "headless", redirectUrl: null, locale: null },
    { mode: "hosted", redirectUrl: "https://example.com/zurück?an=Zoë&mit=\u{1f642}#ende", locale: "de-CH-1996" },
    { mode: "hosted", redirectUrl: `https://example.com/${"\u{1f642}".repeat(2028)}`, locale: "a".repeat(35) },
    { assessmentId: 2_147_483_647, externalId: "anon_00000000-0000-4000-8000-000000000000" },
    { id: "00000000-0000-7000-8000-000000000000", partnerId: "ffffffff-ffff-ffff-ffff-ffffffffffff" },
  ])("a new session comes back with every field: %j", async (changes) => {
    const { idempotency, ...session } = someSession(changes);
    await database.sessions.insertSession({ ...session, idempotency }, signal);
    expect(await stored(session.id)).toEqual({
      ...session,
      completedAt: null,
      revision: 0,
      answers: [],
      arrivals: null,
      shownLanguage: null,
    });
  });

  test.each([0, 1, 499, 500, 999])("times keep their %i milliseconds, not rounded", async (ms) => {
    const id = await insert({ createdAt: at(ms) });
    await database.sessions.saveCompletion(id, 0, { ...completion, completedAt: at(60_000 + ms) }, signal);
    expect(await stored(id)).toMatchObject({ createdAt: at(ms), completedAt: at(60_000 + ms) });
    expect((await database.sessions.findOutcome(id, signal))?.completedAt).toEqual(at(60_000 + ms));
  });

  test("every rating from 0 to 254 and the lack of one come back at their position, in as many as 999 of them", async () => {
    const id = await insert();
    const answers = Array.from({ length: 999 }, (_, index) => (index % 256 === 255 ? null : index % 256));
    expect(await database.sessions.saveAnswers(id, 0, someRecording(answers), signal)).toBe(true);
    expect((await stored(id)).answers).toEqual(answers);
  });

  test("results come back number for number, with null where there is no score", async () => {
    const id = await insert();
    const results = someResults();
    await database.sessions.saveCompletion(id, 0, { ...completion, results }, signal);
    const { partnerId, assessmentId } = await stored(id);
    const outcome = { sessionId: id, partnerId, assessmentId, completedAt: completion.completedAt, results };
    expect(await database.sessions.findOutcome(id, signal)).toEqual(outcome);
  });

  test("an unknown session is not found, nor is its outcome", async () => {
    expect(await database.sessions.findSession(someId(), signal)).toBeUndefined();
    expect(await database.sessions.findOutcome(someId(), signal)).toBeUndefined();
  });

  test("an open session has no outcome", async () => {
    const id = await insert();
    await database.sessions.saveAnswers(id, 0, someRecording([1]), signal);
    expect(await database.sessions.findOutcome(id, signal)).toBeUndefined();
  });
});

describe("compare and swap", () => {
  test("every write raises the revision by one", async () => {
    const id = await insert();
    for (const revision of [0, 1, 2]) {
      expect((await stored(id)).revision).toBe(revision);
      expect(await database.sessions.saveAnswers(id, revision, someRecording([revision]), signal)).toBe(true);
    }
    expect(await database.sessions.saveCompletion(id, 3, completion, signal)).toBe(true);
    expect((await stored(id)).revision).toBe(4);
  });

  test("a write that changes nothing still counts", async () => {
    const id = await insert();
    expect(await database.sessions.saveAnswers(id, 0, someRecording([]), signal)).toBe(true);
    expect((await stored(id)).revision).toBe(1);
  });

  test("of eight writers with one revision exactly one wins, and what it wrote is stored", async () => {
    const id = await insert();
    const racers = Array.from({ length: 8 }, (_, racer) => racer);
    const wins = await Promise.all(
      racers.map((racer) =>
        racer % 2 === 0
          ? database.sessions.saveAnswers(id, 0, someRecording([racer]), signal)
          : database.sessions.saveCompletion(id, 0, { ...completion, answers: [racer] }, signal),
      ),
    );
    expect(wins.filter((won) => won)).toHaveLength(1);
    const winner = wins.indexOf(true);
    const completedAt = winner % 2 === 0 ? null : completion.completedAt;
    expect(await stored(id)).toMatchObject({ revision: 1, answers: [winner], completedAt });
  });

  test.each([0, 2, -1])(
    "a write from revision %i of a session that has revision 1 stores nothing",
    async (revision) => {
      const id = await insert();
      await database.sessions.saveAnswers(id, 0, someRecording([1]), signal);
      const before = await stored(id);
      expect(await database.sessions.saveAnswers(id, revision, someRecording([2]), signal)).toBe(false);
      expect(await database.sessions.saveCompletion(id, revision, completion, signal)).toBe(false);
      expect(await stored(id)).toEqual(before);
      expect(await database.sessions.findOutcome(id, signal)).toBeUndefined();
    },
  );

  test("a completed session takes no further answers and no second completion", async () => {
    const id = await insert();
    await database.sessions.saveCompletion(id, 0, completion, signal);
    const [session, outcome] = [await stored(id), await database.sessions.findOutcome(id, signal)];
    const other = { ...someRecording([1, 1]), completedAt: at(9), results: someResults(9) };
    expect(await database.sessions.saveAnswers(id, 1, someRecording([1, 1]), signal)).toBe(false);
    expect(await database.sessions.saveCompletion(id, 1, other, signal)).toBe(false);
    expect(await stored(id)).toEqual(session);
    expect(await database.sessions.findOutcome(id, signal)).toEqual(outcome);
  });

  test("a write touches no other session", async () => {
    const [one, other] = [await insert(), await insert()];
    const before = await stored(other);
    await database.sessions.saveAnswers(one, 0, someRecording([1]), signal);
    await database.sessions.saveCompletion(one, 1, completion, signal);
    expect(await stored(other)).toEqual(before);
  });

  test("a write to a session that is not there stores nothing", async () => {
    expect(await database.sessions.saveAnswers(someId(), 0, someRecording([1]), signal)).toBe(false);
    expect(await database.sessions.saveCompletion(someId(), 0, completion, signal)).toBe(false);
  });
});

describe("completion", () => {
  test("answers, time and results are stored together", async () => {
    const id = await insert();
    await database.sessions.saveAnswers(id, 0, someRecording([1, 2]), signal);
    await database.sessions.saveCompletion(id, 1, completion, signal);
    expect(await stored(id)).toMatchObject({ answers: completion.answers, completedAt: completion.completedAt });
    expect((await database.sessions.findOutcome(id, signal))?.results).toEqual(completion.results);
  });

  test("a completion of which a part does not fit stores no part of it", async () => {
    const id = await insert();
    await database.sessions.saveAnswers(id, 0, someRecording([1]), signal);
    const before = await stored(id);
    const tooMany = { ...completion, answers: Array(1000).fill(1) };
    await expect(database.sessions.saveCompletion(id, 1, tooMany, signal)).rejects.toThrow();
    expect(await stored(id)).toEqual(before);
    expect(await database.sessions.findOutcome(id, signal)).toBeUndefined();
  });
});
