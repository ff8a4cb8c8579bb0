import { beforeEach, expect, onTestFinished, test } from "vitest";
import { inTransaction } from "../../../src/database/connection.ts";
import { uuidToBytes } from "../../../src/database/statement.ts";
import { type OutboxEvent, putInOutbox } from "../../../src/store/events/outbox.ts";
import { at, someId, someRecording, someSession } from "../../support/builders.ts";
import { countOf } from "../../support/databases/stores.ts";
import { erasePerson } from "../../support/erasing.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { logOf, newSequencer, sequence } from "../../support/webhooks/sequencing.ts";

const { signal } = new AbortController();
const stopped = () => 0;
const beginning = { since: new Date(0), id: "00000000-0000-0000-0000-000000000000" };

const database = await storesOfFile();

let partnerId: string;
beforeEach(async () => {
  await sequence(database);
  partnerId = someId();
});

async function newSession(externalId = someId()): Promise<string> {
  const session = someSession({ partnerId, externalId });
  await database.sessions.insertSession(session, signal);
  return session.id;
}

function put(id: string, occurrence: number, changes: Partial<OutboxEvent> = {}): Promise<void> {
  const event = { partnerId: uuidToBytes(partnerId), resourceId: uuidToBytes(id), assessmentId: 1, occurredAt: at(5) };
  return inTransaction(database.db, signal, (connection) =>
    putInOutbox(connection, { ...event, type: "session.expired", occurrence, ...changes }),
  );
}

const waiting = () => countOf(database.connection, "SELECT COUNT(*) FROM event_outbox");

async function logged(): Promise<[type: string, occurrence: number][]> {
  return (await logOf(database, partnerId)).map(({ type, occurrence }) => [type, occurrence]);
}

test("an event is in the outbox once, however often it is added, and in the log with its number", async () => {
  const id = await newSession();
  await put(id, 2);
  await put(id, 2);
  expect(await waiting()).toBe(1);
  await sequence(database);
  expect(await logged()).toEqual([
    ["session.created", 1],
    ["session.expired", 2],
  ]);
  expect(await waiting()).toBe(0);
  expect((await logOf(database, partnerId)).at(-1)).toMatchObject({
    resourceId: id,
    occurredAt: at(5),
    mode: "headless",
  });
});

test("an event whose type only a newer release knows waits for a process of that release", async () => {
  const id = uuidToBytes(someId());
  const sql = `INSERT INTO event_outbox (id, partner_id, resource_id, type, occurrence, assessment_id, occurred_at)
    VALUES (?, ?, ?, 255, 1, 1, NOW(3))`;
  await database.connection.query(sql, [id, uuidToBytes(partnerId), id]);
  await newSequencer(database.address, stopped).sequencer.run(signal);
  expect(await logged()).toEqual([]);
  expect(await waiting()).toBe(1);
  await database.connection.query("DELETE FROM event_outbox");
});

test("an event of the outbox comes at its place in its session, even if more events wait than a batch takes", async () => {
  const ids = [await newSession(), await newSession(), await newSession()];
  for (const occurrence of [4, 3, 2]) for (const id of ids) await put(id, occurrence);
  for (const id of ids) {
    const completion = { ...someRecording([1]), completedAt: at(9), results: null };
    await database.sessions.saveCompletion({ partnerId, id }, 0, completion, signal);
  }
  const { store } = newSequencer(database.address);
  for (let looks = 0; looks < 6; looks += 1) await store.publish(beginning, 1, signal);
  expect(await waiting()).toBe(0);
  const log = await logOf(database, partnerId);
  for (const id of ids) {
    expect(log.filter(({ resourceId }) => resourceId === id).map(({ type, occurrence }) => [type, occurrence])).toEqual(
      [
        ["session.created", 1],
        ["session.started", 1],
        ["session.expired", 2],
        ["session.expired", 3],
        ["session.expired", 4],
        ["session.completed", 1],
      ],
    );
  }
});

test("a batch that reaches its limit reports that more events wait", async () => {
  for (const externalId of ["Ada", "Bob", "Cy"]) {
    await newSession(externalId);
    await erasePerson(database.sessions, partnerId, externalId);
  }
  const { store } = newSequencer(database.address);
  const ends: unknown[] = [];
  while ((await waiting()) > 0) ends.push((await store.publish(beginning, 2, signal))?.isEnd);
  expect(ends).toEqual([false, true]);
});

test("an event of a session that is being written waits, and delays no other event", async () => {
  const [busy, other] = [await newSession(), await newSession()];
  await put(busy, 2);
  await put(other, 2);
  const { connection } = database;
  await connection.query("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
  await connection.beginTransaction();
  onTestFinished(() => connection.rollback());
  await connection.query("SELECT id FROM sessions WHERE id = ? FOR UPDATE", [uuidToBytes(busy)]);
  await sequence(database);
  expect(new Set((await logOf(database, partnerId)).map(({ resourceId }) => resourceId))).toEqual(new Set([other]));
  await connection.rollback();
  await sequence(database);
  expect(await logged()).toEqual([
    ["session.created", 1],
    ["session.expired", 2],
    ["session.created", 1],
    ["session.expired", 2],
  ]);
});

test("a session that was erased meanwhile announces only its erasure", async () => {
  const id = await newSession("Ada");
  await put(id, 2);
  await erasePerson(database.sessions, partnerId, "Ada");
  await put(id, 3);
  await sequence(database);
  expect(await logged()).toEqual([["session.erased", 1]]);
  expect(await waiting()).toBe(0);
});
