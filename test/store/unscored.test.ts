// Completed sessions whose scoring failed: they can be found, and get their results once.
import { afterAll, beforeAll, expect, test } from "vitest";
import { at, someRecording, someResults, someSession } from "../support/builders.ts";
import { countOf, openTestStores, type TestStores } from "../support/stores.ts";

const { signal } = new AbortController();
const beforeAllIds = "00000000-0000-0000-0000-000000000000";

let database: TestStores;
beforeAll(async () => {
  database = await openTestStores();
});
afterAll(() => database.close());

async function complete(id: string, results: Uint8Array | null): Promise<void> {
  await database.sessions.insertSession(someSession({ id }), signal);
  await database.sessions.saveCompletion(id, 0, { ...someRecording([1]), completedAt: at(1), results }, signal);
}

const idOf = (digit: string) => `${digit.repeat(8)}-0000-7000-8000-000000000000`;

test("completed sessions without results are listed by id, page after page, and no others", async () => {
  for (const digit of ["f", "2", "9", "4"]) await complete(idOf(digit), null);
  await complete(idOf("3"), someResults());
  await database.sessions.insertSession(someSession({ id: idOf("5") }), signal);
  expect(await database.sessions.listUnscored(beforeAllIds, 100, signal)).toEqual(["2", "4", "9", "f"].map(idOf));
  expect(await database.sessions.listUnscored(beforeAllIds, 2, signal)).toEqual(["2", "4"].map(idOf));
  expect(await database.sessions.listUnscored(idOf("4"), 2, signal)).toEqual(["9", "f"].map(idOf));
  expect(await database.sessions.listUnscored(idOf("f"), 2, signal)).toEqual([]);
});

test("an unscored session is completed with results null, and takes its results later", async () => {
  const id = idOf("a");
  await complete(id, null);
  expect((await database.sessions.findOutcome(id, signal))?.results).toBeNull();
  await database.sessions.saveResults(id, someResults(), signal);
  expect((await database.sessions.findOutcome(id, signal))?.results).toEqual(someResults());
  expect(await database.sessions.listUnscored(beforeAllIds, 100, signal)).not.toContain(id);
});

test("results that are stored do not change any more", async () => {
  const id = idOf("b");
  await complete(id, someResults(1));
  await database.sessions.saveResults(id, someResults(2), signal);
  expect((await database.sessions.findOutcome(id, signal))?.results).toEqual(someResults(1));
});

test("an open session takes no results", async () => {
  const id = idOf("c");
  await database.sessions.insertSession(someSession({ id }), signal);
  await database.sessions.saveResults(id, someResults(), signal);
  const sql = "SELECT COUNT(*) FROM sessions WHERE results IS NOT NULL AND completed_at IS NULL";
  expect(await countOf(database.connection, sql)).toBe(0);
});
