// Two processes that expire events at the same moment. Which statements run says a server's own list of processes.
import { expect, onTestFinished, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { someId } from "../../support/builders.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { openTestStores, runningStatements } from "../../support/databases/stores.ts";
import { sequenceEvents } from "../../support/webhooks/sequencing.ts";

const { signal } = new AbortController();

test("a process that expires late does not lower the number up to which events have expired", async () => {
  const database = await openTestStores();
  onTestFinished(() => database.close());
  const { connection } = database;
  const partnerId = someId();
  for (let index = 0; index < 6; index += 1) await storeSession(database, { partnerId });
  await sequenceEvents(database);
  await connection.query("UPDATE events SET recorded_at = NOW(3) - INTERVAL 31 DAY");
  const before = await database.events.findBounds(signal);
  const bounds = { expired: 4, head: 6 };
  // Another process has removed four, which it has not committed yet, while this one is about to remove two.
  const expired = before.expired + bounds.expired;
  await connection.beginTransaction();
  await connection.query("DELETE FROM events WHERE position > ? AND position <= ?", [before.expired, expired]);
  await connection.query("UPDATE event_position SET expired_position = ?", [expired]);
  await connection.query("UPDATE event_heads SET expired_sequence = ? WHERE partner_id = ?", [
    bounds.expired,
    uuidToBytes(partnerId),
  ]);
  const late = database.events.expireEvents(30, 2, await database.now(), signal);
  const isRemoving = async () =>
    (await runningStatements(connection)).some((sql) => sql.startsWith("DELETE FROM events"));
  await expect.poll(isRemoving).toBe(true);
  await connection.commit();
  await late;
  expect(await database.events.findPartnerBounds(partnerId, signal)).toEqual(bounds);
  expect(await database.events.findBounds(signal)).toEqual({ ...before, expired });
});
