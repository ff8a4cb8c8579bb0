// The log is kept as long as it is promised, and whoever reads it can tell what is no longer there.
import { expect, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { expireEvents } from "../../../src/services/retention/maintenance.ts";
import { someId } from "../../support/builders.ts";
import { untilRunning } from "../../support/databases/locks.ts";
import { erasePerson, storeSession } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { logOf, sequenceEvents } from "../../support/webhooks/sequencing.ts";

const database = await storesOfFile();

/** Events of a partner, one for each session of a person. */
async function log(partnerId: string, count: number, externalId = someId()): Promise<void> {
  for (let index = 0; index < count; index += 1) await storeSession(database, { partnerId, externalId });
  await sequenceEvents(database);
}

/** Makes all events up to one of a partner be from more than 30 days ago. */
async function makeOld(partnerId: string, sequence: number): Promise<void> {
  const [event] = await database.events.listEvents(partnerId, sequence - 1, 1, signal);
  const sql = "UPDATE events SET recorded_at = NOW(3) - INTERVAL 31 DAY WHERE position <= ?";
  await database.connection.query(sql, [event?.position]);
}

const numbersOf = async (partnerId: string) => (await logOf(database, partnerId)).map(({ sequence }) => sequence);

test("expired events are removed, batch by batch, and every log knows up to which number", async () => {
  const [one, other] = [someId(), someId()];
  await log(one, 5);
  await log(other, 2);
  await log(one, 3);
  await makeOld(other, 2);
  expect(await database.events.expireEvents(30, 4, await database.now(), signal)).toBe(true);
  expect(await numbersOf(one)).toEqual([5, 6, 7, 8]);
  expect(await database.events.findPartnerBounds(one, signal)).toEqual({ lastExpired: 4, lastNumber: 8 });
  expect(await database.events.findPartnerBounds(other, signal)).toEqual({ lastExpired: 0, lastNumber: 2 });
  expect(await database.events.findBounds(signal)).toEqual({ lastExpired: 4, lastNumber: 10 });
  await expireEvents(database, 30, signal);
  expect(await numbersOf(one)).toEqual([6, 7, 8]);
  expect(await numbersOf(other)).toEqual([]);
  expect(await database.events.findPartnerBounds(one, signal)).toEqual({ lastExpired: 5, lastNumber: 8 });
  expect(await database.events.findPartnerBounds(other, signal)).toEqual({ lastExpired: 2, lastNumber: 2 });
  expect(await database.events.findBounds(signal)).toEqual({ lastExpired: 7, lastNumber: 10 });
});

test("an event is kept until all before it are removed: only erasures leave holes in the log", async () => {
  const partnerId = someId();
  await log(partnerId, 3);
  const sql = "UPDATE events SET recorded_at = NOW(3) - INTERVAL 31 DAY WHERE partner_id = ? AND sequence = 2";
  await database.connection.query(sql, [uuidToBytes(partnerId)]);
  await expireEvents(database, 30, signal);
  expect(await numbersOf(partnerId)).toEqual([1, 2, 3]);
});

test("holes of erased events do not stop retention", async () => {
  const partnerId = someId();
  await log(partnerId, 2, "Ada");
  await log(partnerId, 2);
  await erasePerson(database.sessions, partnerId, "Ada");
  await sequenceEvents(database);
  expect(await numbersOf(partnerId)).toEqual([3, 4, 5, 6]);
  await makeOld(partnerId, 4);
  await expireEvents(database, 30, signal);
  expect(await numbersOf(partnerId)).toEqual([5, 6]);
});

test("two processes that expire at once remove each event once, and agree on the number", async () => {
  const partnerId = someId();
  await log(partnerId, 30);
  await makeOld(partnerId, 20);
  const expire = async () => {
    while (await database.events.expireEvents(30, 3, await database.now(), signal));
  };
  await Promise.all([expire(), expire(), expire()]);
  expect(await numbersOf(partnerId)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
  expect((await database.events.findPartnerBounds(partnerId, signal)).lastExpired).toBe(20);
});

test("a process that expires late does not lower the number up to which events have expired", async () => {
  const { connection } = database;
  const partnerId = someId();
  await log(partnerId, 6);
  await connection.query("UPDATE events SET recorded_at = NOW(3) - INTERVAL 31 DAY");
  const before = await database.events.findBounds(signal);
  const bounds = { lastExpired: 4, lastNumber: 6 };
  // Another process has removed four, which it has not committed yet, while this one is about to remove two.
  const lastExpired = before.lastExpired + bounds.lastExpired;
  await connection.beginTransaction();
  await connection.query("DELETE FROM events WHERE position > ? AND position <= ?", [before.lastExpired, lastExpired]);
  await connection.query("UPDATE event_position SET expired_position = ?", [lastExpired]);
  await connection.query("UPDATE event_heads SET expired_sequence = ? WHERE partner_id = ?", [
    bounds.lastExpired,
    uuidToBytes(partnerId),
  ]);
  const late = database.events.expireEvents(30, 2, await database.now(), signal);
  await untilRunning(database, "DELETE FROM events");
  await connection.commit();
  await late;
  expect(await database.events.findPartnerBounds(partnerId, signal)).toEqual(bounds);
  expect(await database.events.findBounds(signal)).toEqual({ ...before, lastExpired });
});

test("an event exactly as old as events are kept stays, and is removed a millisecond later", async () => {
  const partnerId = someId();
  await database.connection.query("UPDATE events SET recorded_at = NOW(3) - INTERVAL 31 DAY");
  await expireEvents(database, 30, signal);
  await log(partnerId, 1);
  const now = await database.now();
  const recordedAt = new Date(now.getTime() - 30 * 24 * 3_600_000);
  const sql = "UPDATE events SET recorded_at = ? WHERE partner_id = ?";
  await database.connection.query(sql, [recordedAt, uuidToBytes(partnerId)]);
  await database.events.expireEvents(30, 1_000, now, signal);
  expect(await numbersOf(partnerId)).toEqual([1]);
  await database.events.expireEvents(30, 1_000, new Date(now.getTime() + 1), signal);
  expect(await numbersOf(partnerId)).toEqual([]);
});
