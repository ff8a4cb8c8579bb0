// Erasing a person with many sessions, and while these are written. What it removes, row by row: whole-rows.test.ts.
import { expect, test } from "vitest";
import type { NewSession } from "../../../src/domain/sessions/session.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { eraseSubject } from "../../../src/services/subjects/subject-service.ts";
import { someErasure, someId, someLink, someRecording, someSession } from "../../support/builders.ts";
import { storeCompleted, storeSession } from "../../support/databases/stored-sessions.ts";
import { batchesOf, countOf, runningStatements } from "../../support/databases/stores.ts";
import { testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();

const database = await storesOfFile();

type Person = Pick<NewSession, "partnerId" | "externalId">;

/** Erases the person. @returns the number of sessions erased */
async function erase({ partnerId, externalId }: Person, erasure = someErasure(partnerId)): Promise<number> {
  const ids = await database.sessions.listSessionIds(partnerId, externalId, 100, signal);
  return database.sessions.eraseSessions(ids, erasure, signal);
}

function linksOf(sessionId: string): Promise<number> {
  const sql = "SELECT COUNT(*) FROM hosted_links WHERE session_id = ?";
  return countOf(database.connection, sql, [uuidToBytes(sessionId)]);
}

test.each([
  ["none of them full", 1, 0],
  ["one and a part", 3, 2],
  ["full ones", 2, 2],
])("a person's sessions are erased in batches, %s, until none is left", async (_, open, completed) => {
  const person = { partnerId: someId(), externalId: "Ada" };
  for (let count = 0; count < open; count += 1) await storeSession(database, person);
  // All of them at the same time.
  for (let count = 0; count < completed; count += 1) await storeCompleted(database, person);
  const deps = { ...testDependencies(database), batchSizes: batchesOf(2) };
  const eraseAll = () => eraseSubject(deps, person, { signal, at: Number.POSITIVE_INFINITY });
  expect(await eraseAll()).toBe(open + completed);
  expect(await database.sessions.listSessionIds(person.partnerId, "Ada", 100, signal)).toEqual([]);
  await expect(eraseAll()).rejects.toMatchObject({ code: "not_found" });
});

/** Makes all that want the locked rows wait until `work` is done. */
async function whileLocked(sql: string, sessionId: string, work: () => Promise<void>): Promise<void> {
  await database.connection.beginTransaction();
  try {
    await database.connection.query(`${sql} FOR UPDATE`, [uuidToBytes(sessionId)]);
    await work();
  } finally {
    await database.connection.rollback();
  }
}

const running = (word: string) => async () =>
  (await runningStatements(database.connection)).filter((statement) => statement.includes(word)).length;

test("answers that come after the erasure began are not stored, and nothing is left behind", async () => {
  const session = await storeSession(database);
  await database.hosted.addLink(someLink(session), 10, signal);
  let both: Promise<[number, boolean]> | undefined;
  await whileLocked("SELECT hash FROM hosted_links WHERE session_id = ?", session.id, async () => {
    const erased = erase(session);
    await expect.poll(running("hosted_links")).toBe(1);
    both = Promise.all([erased, database.sessions.saveAnswers(session, 0, someRecording([1]), signal)]);
    await expect.poll(running("UPDATE sessions")).toBe(1);
  });
  expect(await both).toEqual([1, false]);
  expect(await database.sessions.findSession(session, signal)).toBeUndefined();
  expect(await linksOf(session.id)).toBe(0);
});

test("answers that come at the same time as the erasure go with the session, whichever is first", async () => {
  const session = await storeSession(database);
  await database.hosted.addLink(someLink(session), 10, signal);
  let both: Promise<[boolean, number]> | undefined;
  await whileLocked("SELECT id FROM sessions WHERE id = ?", session.id, async () => {
    const saved = database.sessions.saveAnswers(session, 0, someRecording([1]), signal);
    await expect.poll(running("UPDATE sessions")).toBe(1);
    both = Promise.all([saved, erase(session)]);
    await expect.poll(running("FOR UPDATE")).toBe(1);
  });
  // A statement that is listed need not stand in the queue for the row yet.
  expect(await both).toEqual([expect.any(Boolean), 1]);
  expect(await database.sessions.findSession(session, signal)).toBeUndefined();
  expect(await linksOf(session.id)).toBe(0);
});

test("a session that takes over the answers while the erasure waits is erased with it", async () => {
  const person = { partnerId: someId(), externalId: "Ada" };
  const session = await storeSession(database, person);
  const continuing = someSession({ ...person, continues: session.id });
  let erased: Promise<number> | undefined;
  await whileLocked("SELECT id FROM sessions WHERE id = ?", session.id, async () => {
    const inserted = database.sessions.insertSession(continuing, signal);
    await expect.poll(running("FOR UPDATE")).toBe(1);
    erased = eraseSubject(testDependencies(database), person, { signal, at: Number.POSITIVE_INFINITY });
    await expect.poll(running("FOR UPDATE")).toBe(2);
    void inserted;
  });
  await erased;
  expect(await database.sessions.findSession(session, signal)).toBeUndefined();
  expect(await database.sessions.findSession(continuing, signal)).toBeUndefined();
});

test("two erasures of one person at once remove each session once and leave nothing", async () => {
  const person = { partnerId: someId(), externalId: "Ada" };
  for (let count = 0; count < 6; count += 1) await storeSession(database, person);
  const removed = await Promise.all([erase(person), erase(person)]);
  expect(removed.toSorted()).toEqual([0, 6]);
  expect(await erase(person)).toBe(0);
});
