// Sessions go when their partner's policy says so, in the way of an erasure, and no others.

import { randomBytes } from "node:crypto";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { RowDataPacket } from "mysql2/promise";
import { v7 as uuidv7 } from "uuid";
import { beforeEach, expect, test } from "vitest";
import { beforeAllCompletions, type NewSession, type SessionMode } from "../../../src/domain/sessions/session.ts";
import { toTwinId, uuidToBytes } from "../../../src/kernel/ids.ts";
import { batchSizes } from "../../../src/services/batch-sizes.ts";
import { applyRetention } from "../../../src/services/retention/retention.ts";
import { setTestClock } from "../../../src/services/sandbox/test-clock.ts";
import type { SessionPolicy } from "../../../src/store/retention/session-policy-store.ts";
import { someArrivals, someErasure, someId, somePolicy, someRecording, someResults } from "../../support/builders.ts";
import { storeCompleted, storeSession } from "../../support/databases/stored-sessions.ts";
import { batchesOf } from "../../support/databases/stores.ts";
import { deadline, signal } from "../../support/deadline.ts";
import { testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { logOf, sequenceEvents } from "../../support/webhooks/sequencing.ts";

const dayMs = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 10, 20);
const daysAgo = (days: number) => new Date(now - days * dayMs);

const database = await storesOfFile();
beforeEach(() => database.connection.query("DELETE FROM session_policies"));

/** @param sizes of sessions, and policies, that are looked at together */
function deps(sizes = batchSizes) {
  return { ...testDependencies(database, { clock: () => now }), batchSizes: sizes };
}

function createdBefore(days: number) {
  const createdAt = daysAgo(days);
  return { id: uuidv7({ msecs: createdAt.getTime() }), createdAt };
}

/** A session that was created, and if so completed, so many days ago. */
async function store(partnerId: string, created: number, completed?: number, mode: SessionMode = "headless") {
  const session = { ...createdBefore(created), partnerId, mode };
  if (completed === undefined) return storeSession(database, session);
  return storeCompleted(database, session, { completedAt: daysAgo(completed) });
}

const setPolicy = (partnerId: string, changes: Partial<SessionPolicy>) =>
  database.sessionPolicies.savePolicy(somePolicy(partnerId, changes), signal);

async function isThere(session: NewSession): Promise<boolean> {
  return (await database.sessions.findSession(session, signal)) !== undefined;
}

/** Applies all policies. @returns the number of sessions deleted */
async function apply(): Promise<number> {
  let deleted = 0;
  const sessions = reportErased((_, count) => {
    deleted += count;
  });
  await applyRetention({ ...deps(), sessions }, signal);
  return deleted;
}

/** A store that reports of how many sessions of a partner it erased all, or a part. */
function reportErased(report: (partnerId: string, count: number) => void): typeof database.sessions {
  const { sessions } = database;
  return {
    ...sessions,
    async eraseSessions(ids, erasure, until) {
      const count = await sessions.eraseSessions(ids, erasure, until);
      report(erasure.partnerId, count);
      return count;
    },
    async eraseData(part, ids, deletion, until) {
      const count = await sessions.eraseData(part, ids, deletion, until);
      report(deletion.partnerId, count);
      return count;
    },
  };
}

test("completed sessions are deleted by their completion, others by their creation, each at the end of their time", async () => {
  const partnerId = someId();
  const [old, young] = [await store(partnerId, 40, 31), await store(partnerId, 40, 29)];
  const [oldOpen, youngOpen] = [await store(partnerId, 11), await store(partnerId, 9)];
  await setPolicy(partnerId, { deleteCompletedAfterDays: 30, deleteOpenAfterDays: 10 });
  expect(await apply()).toBe(2);
  expect(await Promise.all([old, young, oldOpen, youngOpen].map(isThere))).toEqual([false, true, false, true]);
  expect(await apply()).toBe(0);
});

test("a policy removes nothing of other partners, modes or states", async () => {
  const [partnerId, other] = [someId(), someId()];
  const kept = [await store(other, 100, 100), await store(partnerId, 100, 100, "hosted"), await store(partnerId, 100)];
  const deletedSession = await store(partnerId, 100, 100);
  await setPolicy(partnerId, { deleteCompletedAfterDays: 1 });
  await setPolicy(other, { mode: "hosted", deleteCompletedAfterDays: 1 });
  expect(await apply()).toBe(1);
  expect(await isThere(deletedSession)).toBe(false);
  expect(await Promise.all(kept.map(isThere))).toEqual([true, true, true]);
});

test("a session that is completed before it is deleted as an open one stays", async () => {
  const partnerId = someId();
  const session = await store(partnerId, 10);
  await setPolicy(partnerId, { deleteOpenAfterDays: 5 });
  const { sessions } = database;
  const racing: typeof sessions = {
    ...sessions,
    async eraseSessions(...args) {
      const completion = { ...someRecording([1]), completedAt: new Date(now), results: null };
      await sessions.saveCompletion(session, 0, completion, signal);
      return sessions.eraseSessions(...args);
    },
  };
  await applyRetention({ ...deps(), sessions: racing }, signal);
  expect(await isThere(session)).toBe(true);
});

/** So many sessions of a partner, created 50 days ago and before, and completed so many days ago. */
async function storeMany(partnerId: string, count: number, completed: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await store(partnerId, 50 + index / 100, completed);
}

test("a run continues where an earlier one was interrupted, and later ones start from the beginning", async () => {
  const partnerId = someId();
  await storeMany(partnerId, 2, 1);
  const late = await store(partnerId, 40, 31);
  await setPolicy(partnerId, { deleteCompletedAfterDays: 30 });
  const ending = new AbortController();
  const { sessionPolicies } = database;
  const begun: (string | null)[] = [];
  const watched: typeof sessionPolicies = {
    ...sessionPolicies,
    listDeletable(policy, after, ...rest) {
      begun.push(after);
      return sessionPolicies.listDeletable(policy, after, ...rest);
    },
    async saveProgress(...args) {
      const count = await sessionPolicies.saveProgress(...args);
      ending.abort();
      return count;
    },
  };
  const run = (until: AbortSignal) => applyRetention({ ...deps(batchesOf(2)), sessionPolicies: watched }, until);
  await run(ending.signal);
  expect(await isThere(late)).toBe(true);
  await run(signal);
  expect(await isThere(late)).toBe(false);
  for (let runs = 0; runs < 2; runs += 1) await run(signal);
  const place = expect.any(String);
  expect(begun).toEqual([null, place, null, place, null, place]);
});

test.each([
  { chance: 0, begins: "many" },
  { chance: 128, begins: "few" },
])("policies take turns from $begins on, by chance: one with many sessions keeps no other waiting", async (run) => {
  const [many, few] = [someId(), someId()];
  for (const [partnerId, count] of [
    [many, 6],
    [few, 2],
  ] as const) {
    await storeMany(partnerId, count, 40);
    await setPolicy(partnerId, { deleteCompletedAfterDays: 30 });
  }
  const applied: string[] = [];
  const random = (length: number) => (length === 1 ? Buffer.of(run.chance) : randomBytes(length));
  const sessions = reportErased((partnerId) => applied.push(partnerId === many ? "many" : "few"));
  await applyRetention({ ...deps(batchesOf(2)), random, sessions }, signal);
  const turn = ["many", "few"];
  expect(applied).toEqual([...(run.begins === "many" ? turn : turn.toReversed()), "many", "many"]);
});

test("a policy that is withdrawn while it is applied deletes nothing more", async () => {
  const partnerId = someId();
  await storeMany(partnerId, 2, 1);
  const late = await store(partnerId, 40, 31);
  await setPolicy(partnerId, { deleteCompletedAfterDays: 30 });
  const { sessionPolicies } = database;
  const withdrawn: typeof sessionPolicies = {
    ...sessionPolicies,
    async listDeletable(...args) {
      const page = await sessionPolicies.listDeletable(...args);
      await setPolicy(partnerId, { deleteCompletedAfterDays: null });
      return page;
    },
  };
  await applyRetention({ ...deps(batchesOf(2)), sessionPolicies: withdrawn }, signal);
  expect(await isThere(late)).toBe(true);
});

/** What is left of a session: the sizes of its answers and results, and what is known of its answering. */
async function remains({ id }: NewSession) {
  const sql = `SELECT LENGTH(answers) AS answers, LENGTH(results) AS results,
    shown_language AS shownLanguage, answer_calls AS answerCalls FROM sessions WHERE id = ?`;
  const [rows] = await database.connection.query<RowDataPacket[]>(sql, [uuidToBytes(id)]);
  return rows[0];
}

/** A completed session with results, and with all that is known of its answering. */
function storeScored(partnerId: string, completed: number) {
  const completedAt = daysAgo(completed);
  const recording = { arrivals: someArrivals(completedAt), shownLanguage: "de" };
  const session = { ...createdBefore(40), partnerId };
  return storeCompleted(database, session, { ...recording, completedAt, results: someResults() });
}

test("answers and results are deleted by times of their own, once, and the rest of the session stays", async () => {
  const partnerId = someId();
  const [old, young] = [await storeScored(partnerId, 31), await storeScored(partnerId, 11)];
  await setPolicy(partnerId, { deleteAnswersAfterDays: 10, deleteResultsAfterDays: 30 });
  expect(await apply()).toBe(3);
  const bare = { answers: 0, shownLanguage: null, answerCalls: null };
  expect(await remains(old)).toMatchObject({ ...bare, results: 0 });
  expect(await remains(young)).toMatchObject({ ...bare, results: someResults().length });
  expect(await apply()).toBe(0);
  expect(await database.sessions.findSession(old, signal)).toMatchObject({
    results: null,
    resultsDeletedAt: new Date(now),
  });
});

test.each(["answers", "results"] as const)(
  "%s that another run has deleted meanwhile are left as they are",
  async (part) => {
    const partnerId = someId();
    const { id } = await storeScored(partnerId, 31);
    const { sessions } = database;
    const eraseAt = (deletedAt: Date) =>
      sessions.eraseData(part, [id], { ...someErasure(partnerId), deletedAt }, signal);
    expect([await eraseAt(daysAgo(2)), await eraseAt(daysAgo(1))]).toEqual([1, 0]);
    const session = { partnerId, id };
    expect(await sessions.findSession(session, signal)).toMatchObject({ [`${part}DeletedAt`]: daysAgo(2) });
  },
);

test("a part of a test twin's session is deleted at the time of the twin", async () => {
  const twin = toTwinId(someId()) ?? "";
  const { id } = await storeScored(twin, 31);
  await setPolicy(twin, { deleteAnswersAfterDays: 10, deleteResultsAfterDays: 10 });
  const moved = new Date(now + 365 * dayMs);
  await setTestClock(deps(), { now: timestampFromDate(moved) }, { partnerId: twin, ...deadline });
  await apply();
  const deleted = { answersDeletedAt: moved, resultsDeletedAt: moved };
  expect(await database.sessions.findSession({ partnerId: twin, id }, signal)).toMatchObject(deleted);
});

test("deleting a part announces nothing, and what happened before is announced all the same", async () => {
  const partnerId = someId();
  await storeScored(partnerId, 31);
  await setPolicy(partnerId, { deleteAnswersAfterDays: 10, deleteResultsAfterDays: 10 });
  await apply();
  await sequenceEvents(database);
  const types = ["session.created", "session.started", "session.completed", "session.scored"];
  expect((await logOf(database, partnerId)).map(({ type }) => type)).toEqual(types);
  await storeScored(partnerId, 31);
  await sequenceEvents(database);
  await apply();
  await sequenceEvents(database);
  expect((await logOf(database, partnerId)).map(({ type }) => type)).toEqual([...types, ...types]);
});

test("a session without answers is never scored, and an unscored one loses its results once it has some", async () => {
  const partnerId = someId();
  const unscored = await store(partnerId, 40, 31);
  await setPolicy(partnerId, { deleteResultsAfterDays: 10 });
  expect(await apply()).toBe(0);
  const listed = async () =>
    (await database.sessions.listUnscored(beforeAllCompletions, 10_000, signal)).map(({ id }) => id);
  expect(await listed()).toContain(unscored.id);
  await setPolicy(partnerId, { deleteAnswersAfterDays: 10 });
  expect(await apply()).toBe(1);
  expect(await listed()).not.toContain(unscored.id);
});
