// Erasing a person with many sessions, and while these are written. What it removes, row by row: whole-rows.test.ts.
import { expect, test } from "vitest";
import type { NewSession } from "../../../src/domain/sessions/session.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { eraseSubject } from "../../../src/services/subjects/subject-service.ts";
import { someId, someLink, someRecording, someSession } from "../../support/builders.ts";
import { lockRows, untilRunning } from "../../support/databases/locks.ts";
import { erasePerson, storeCompleted, storeSession } from "../../support/databases/stored-sessions.ts";
import { batchesOf, countOf, runningStatements } from "../../support/databases/stores.ts";
import { deadline, signal } from "../../support/deadline.ts";
import { testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";

const database = await storesOfFile();

type Person = Pick<NewSession, "partnerId" | "externalId">;

const erase = ({ partnerId, externalId }: Person) => erasePerson(database.sessions, partnerId, externalId);

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
  const eraseAll = () => eraseSubject(deps, person, deadline);
  expect(await eraseAll()).toBe(open + completed);
  expect(await database.sessions.listSessionIds(person.partnerId, "Ada", 100, signal)).toEqual([]);
  await expect(eraseAll()).rejects.toMatchObject({ code: "not_found" });
});

const rowOf = "SELECT id FROM sessions WHERE id = ? FOR UPDATE";
const countWaiting = async () =>
  (await runningStatements(database.connection)).filter((statement) => statement.includes("FOR UPDATE")).length;

test("answers that come after the erasure began are not stored, and nothing is left behind", async () => {
  const session = await storeSession(database);
  await database.hosted.addLink(someLink(session), 10, signal);
  const links = "SELECT hash FROM hosted_links WHERE session_id = ? FOR UPDATE";
  const release = await lockRows(database, links, [uuidToBytes(session.id)]);
  const erased = erase(session);
  await untilRunning(database, "hosted_links");
  const saved = database.sessions.saveAnswers(session, 0, someRecording([1]), signal);
  await untilRunning(database, "UPDATE sessions");
  await release();
  expect([await erased, await saved]).toEqual([1, false]);
  expect(await database.sessions.findSession(session, signal)).toBeUndefined();
  expect(await linksOf(session.id)).toBe(0);
});

test("answers that come at the same time as the erasure go with the session, whichever is first", async () => {
  const session = await storeSession(database);
  await database.hosted.addLink(someLink(session), 10, signal);
  const release = await lockRows(database, rowOf, [uuidToBytes(session.id)]);
  const saved = database.sessions.saveAnswers(session, 0, someRecording([1]), signal);
  await untilRunning(database, "UPDATE sessions");
  const erased = erase(session);
  await untilRunning(database, "FOR UPDATE");
  await release();
  // A statement that is listed need not stand in the queue for the row yet.
  expect([await saved, await erased]).toEqual([expect.any(Boolean), 1]);
  expect(await database.sessions.findSession(session, signal)).toBeUndefined();
  expect(await linksOf(session.id)).toBe(0);
});

test("a session that takes over the answers while the erasure waits is erased with it", async () => {
  const person = { partnerId: someId(), externalId: "Ada" };
  const session = await storeSession(database, person);
  const continuing = someSession({ ...person, continues: session.id });
  const release = await lockRows(database, rowOf, [uuidToBytes(session.id)]);
  const inserted = database.sessions.insertSession(continuing, signal);
  await expect.poll(countWaiting).toBe(1);
  const erased = eraseSubject(testDependencies(database), person, deadline);
  await expect.poll(countWaiting).toBe(2);
  await release();
  await Promise.all([inserted, erased]);
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
