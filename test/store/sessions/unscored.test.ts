// Completed sessions whose scoring failed: they are found by an index, whoever completed them, and scored once.
import { beforeEach, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { rescoreSessions } from "../../../src/services/sessions/lifecycle.ts";
import { at, someAssessment, someErasure, someId, someRecording, someResults } from "../../support/builders.ts";
import { storeCompleted, storeSession } from "../../support/databases/stored-sessions.ts";
import { countOf } from "../../support/databases/stores.ts";
import { deadline, signal } from "../../support/deadline.ts";
import { testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";

/** To every question of the small example. */
const answers = Array.from({ length: 20 }, () => 1);

const database = await storesOfFile();
await database.assessments.insertAssessment(someAssessment(), signal);
beforeEach(async () => {
  await database.connection.query("DELETE FROM sessions");
});

async function complete(id: string, results: Uint8Array | null, completedAt = at(1)): Promise<void> {
  await storeCompleted(database, { partnerId, id }, { ...someRecording(answers), completedAt, results });
}

const partnerId = someId();
const idOf = (digit: string) => `${digit.repeat(8)}-0000-7000-8000-000000000000`;

test("stored results do not change any more", async () => {
  const id = idOf("b");
  await complete(id, someResults(1));
  expect(await database.sessions.saveResults({ partnerId, id, revision: 1 }, someResults(2), signal)).toBe(false);
  expect((await database.sessions.findSession({ partnerId, id }, signal))?.results).toEqual(someResults(1));
});

test("an open session takes no results", async () => {
  const id = idOf("c");
  await storeSession(database, { partnerId, id });
  expect(await database.sessions.saveResults({ partnerId, id, revision: 0 }, someResults(), signal)).toBe(false);
  const sql = "SELECT COUNT(*) FROM sessions WHERE results IS NOT NULL AND completed_at IS NULL";
  expect(await countOf(database.connection, sql)).toBe(0);
});

const unscored = () => countOf(database.connection, "SELECT COUNT(*) FROM sessions WHERE results IS NULL");
const dependencies = testDependencies(database);

/** So many unscored sessions, completed one millisecond after the other. */
async function store(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await complete(someId(), null, at(index));
}

test("scoring continues, batch after batch, until every session has its results", async () => {
  await store(230);
  expect(await rescoreSessions(dependencies, () => deadline)).toEqual({ scored: 230, failed: 0 });
  expect(await unscored()).toBe(0);
});

const erasure = () => someErasure(partnerId);
test.each([
  ["whose answers are deleted", (id: string) => database.sessions.eraseData("answers", [id], erasure(), signal)],
  ["that is erased", (id: string) => database.sessions.eraseSessions([id], erasure(), signal)],
  [
    "that is written again",
    (id: string) =>
      database.connection.query("UPDATE sessions SET revision = revision + 1 WHERE id = ?", [uuidToBytes(id)]),
  ],
])("scoring gives no results to a session %s between reading and writing", async (_what, happen) => {
  const id = someId();
  await complete(id, null);
  const listUnscored: typeof dependencies.sessions.listUnscored = async (...about) => {
    const list = await dependencies.sessions.listUnscored(...about);
    await happen(id);
    return list;
  };
  const interleaved = { ...dependencies, sessions: { ...dependencies.sessions, listUnscored } };
  expect(await rescoreSessions(interleaved, () => deadline)).toEqual({ scored: 0, failed: 0 });
  expect(await countOf(database.connection, "SELECT COUNT(*) FROM sessions WHERE results IS NOT NULL")).toBe(0);
});

test("scoring passes over sessions that fail again, counts them, and scores the rest", async () => {
  await store(3);
  // More answers than there are questions cannot be scored.
  await database.connection.query("UPDATE sessions SET answers = REPEAT(X'02', 21) ORDER BY completed_at LIMIT 1");
  expect(await rescoreSessions(dependencies, () => deadline)).toEqual({ scored: 2, failed: 1 });
  expect(await rescoreSessions(dependencies, () => deadline)).toEqual({ scored: 0, failed: 1 });
  expect(await unscored()).toBe(1);
});
