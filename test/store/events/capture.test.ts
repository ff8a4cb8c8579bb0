// No write of a session can forget to say that there is something to announce.
import type { RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/statement.ts";
import type { NewSession } from "../../../src/domain/sessions/session.ts";
import { at, someArrivals, someRecording, someResults, someSession } from "../../support/builders.ts";
import { openTestStores, type TestStores } from "../../support/databases/stores.ts";

const { signal } = new AbortController();
const completion = { ...someRecording([1], { arrivals: someArrivals(at(5)) }), completedAt: at(5), results: null };

let database: TestStores;
beforeAll(async () => {
  database = await openTestStores();
});
afterAll(() => database.close());

async function newSession(): Promise<NewSession> {
  const session = someSession();
  await database.sessions.insertSession(session, signal);
  return session;
}

/** What the row says of events: whether there is something to announce, and when the session was started. */
async function marksOf({ id }: Pick<NewSession, "id">): Promise<{ isUnpublished: boolean; startedAt: Date | null }> {
  const [[row]] = await database.connection.query<RowDataPacket[]>(
    "SELECT unpublished_since IS NOT NULL AS is_unpublished, first_answer_at FROM sessions WHERE id = ?",
    [uuidToBytes(id)],
  );
  return { isUnpublished: row?.is_unpublished === 1, startedAt: row?.first_answer_at };
}

/** As the sequencer does when it has announced all that there is. */
async function markPublished({ id }: Pick<NewSession, "id">): Promise<void> {
  const sql = "UPDATE sessions SET published = 15, unpublished_since = NULL WHERE id = ?";
  await database.connection.query(sql, [uuidToBytes(id)]);
}

describe("a session is to be announced", () => {
  test("when it is created", async () => {
    expect(await marksOf(await newSession())).toEqual({ isUnpublished: true, startedAt: null });
  });

  test("with its first answers, by the time of those, and not with later ones", async () => {
    const session = await newSession();
    await markPublished(session);
    await database.sessions.saveAnswers(session, 0, someRecording([1], { arrivals: someArrivals(at(3)) }), signal);
    expect(await marksOf(session)).toEqual({ isUnpublished: true, startedAt: at(3) });
    await markPublished(session);
    await database.sessions.saveAnswers(session, 1, someRecording([2], { arrivals: someArrivals(at(3)) }), signal);
    expect(await marksOf(session)).toEqual({ isUnpublished: false, startedAt: at(3) });
  });

  test("when it is completed: one without answers before is started then", async () => {
    const session = await newSession();
    await markPublished(session);
    await database.sessions.saveCompletion(session, 0, completion, signal);
    expect(await marksOf(session)).toEqual({ isUnpublished: true, startedAt: at(5) });
  });

  test("when it is scored later", async () => {
    const session = await newSession();
    await database.sessions.saveCompletion(session, 0, completion, signal);
    await markPublished(session);
    await database.sessions.saveResults({ ...session, revision: 1 }, someResults(), signal);
    expect(await marksOf(session)).toMatchObject({ isUnpublished: true });
  });

  test("not when a write stores nothing", async () => {
    const session = await newSession();
    await markPublished(session);
    expect(await database.sessions.saveAnswers(session, 7, someRecording([1]), signal)).toBe(false);
    expect(await marksOf(session)).toEqual({ isUnpublished: false, startedAt: null });
  });
});
