// After a restored backup, or a failover that lost the last transactions, no number is handed out a second time.

import type { RowDataPacket } from "mysql2/promise";
import { expect, onTestFinished, test } from "vitest";
import { Database } from "../../../src/database/database.ts";
import { skippedNumbers } from "../../../src/store/events/event-log.ts";
import { createStores } from "../../../src/store/stores.ts";
import { someId } from "../../support/builders.ts";
import { createEmptyDatabase } from "../../support/databases/database.ts";
import { dump, restore } from "../../support/databases/dump.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import type { TestStores } from "../../support/databases/stores.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { sequenceEvents } from "../../support/webhooks/sequencing.ts";

const database = await storesOfFile();

type Stores = Pick<TestStores, "address" | "sessions" | "events" | "connection">;

/** A session, announced. @returns the number that its partner's log has then reached */
async function happen(stores: Stores, partnerId: string): Promise<number> {
  await storeSession(stores, { partnerId });
  await sequenceEvents(stores);
  return (await stores.events.findPartnerBounds(partnerId, signal)).lastNumber;
}

async function restored(statements: readonly string[]): Promise<Stores> {
  const { address, connection, drop } = await createEmptyDatabase();
  await restore(connection, statements);
  const db = new Database({ address, poolSize: 2, warn: () => undefined });
  onTestFinished(async () => {
    await db.destroy();
    await drop();
  });
  return { address, connection, ...createStores(db) };
}

test("readers go on where they were after a restore, and get every event that comes", async () => {
  const [known, later] = [someId(), someId()];
  await happen(database, known);
  const backup = await dump(database.connection);
  const cursors = new Map([
    [known, await happen(database, known)],
    [later, await happen(database, later)],
  ]);
  const cursorOfAll = (await database.events.findBounds(signal)).lastNumber;

  const stores = await restored(backup);
  await stores.events.skipAhead(signal);
  for (const [partnerId, cursor] of cursors) {
    expect((await stores.events.findPartnerBounds(partnerId, signal)).lastNumber).toBeGreaterThanOrEqual(cursor);
    await happen(stores, partnerId);
    const events = await stores.events.listEvents(partnerId, cursor, 10, signal);
    expect(events.map(({ sequence }) => sequence)).toEqual([skippedNumbers + 1]);
  }
  const events = await stores.events.listAllEvents(cursorOfAll, 10, signal);
  expect(events.map(({ partnerId }) => partnerId)).toEqual([known, later]);
});

test("a log whose position is missing is unavailable to readers, and loses nothing", async () => {
  const stores = await restored(await dump(database.connection));
  const [known, unknown] = [someId(), someId()];
  const head = await happen(stores, known);
  const { connection } = stores;
  const [[kept]] = await connection.query<RowDataPacket[]>("SELECT * FROM event_position");
  await connection.query("DELETE FROM event_position");
  const unavailable = { code: "unavailable", retryAfterSeconds: 1 };
  for (const partnerId of [known, unknown]) {
    await expect(stores.events.findPartnerBounds(partnerId, signal)).rejects.toMatchObject(unavailable);
  }
  await expect(stores.events.findBounds(signal)).rejects.toMatchObject(unavailable);
  await expect(stores.events.expireEvents(0, 10, new Date(), signal)).rejects.toMatchObject(unavailable);
  await storeSession(stores, { partnerId: known });
  await expect(sequenceEvents(stores)).rejects.toThrow("the log has no position");
  await connection.query("INSERT INTO event_position SET ?", [kept]);
  await sequenceEvents(stores);
  expect((await stores.events.findPartnerBounds(known, signal)).lastNumber).toBe(head + 1);
});
