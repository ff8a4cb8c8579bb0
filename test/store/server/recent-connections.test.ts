// Connections that were given back a moment ago are lent again without the pool.
import type { Knex } from "knex";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { onConnection } from "../../../src/database/connection.ts";
import { openDatabase } from "../../../src/database/database.ts";
import { RecentConnections } from "../../../src/database/recent-connections.ts";
import { poolState } from "../../../src/store/stores.ts";
import { openTestStores, type TestStores } from "../../support/databases/stores.ts";

const { signal } = new AbortController();

let database: TestStores;
beforeAll(async () => {
  database = await openTestStores();
});
afterAll(() => database.close());

/** A pool whose connections go back to it when the test says so. */
function openPool(poolSize: number) {
  const db = openDatabase({ address: database.address, poolSize, warn: () => undefined });
  onTestFinished(() => db.destroy());
  const due: (() => void)[] = [];
  const passTime = () => {
    for (const task of due.splice(0)) task();
  };
  const counts = { asked: 0, waits: 0 };
  db.client.pool.on("acquireRequest", () => {
    counts.asked += 1;
  });
  const beginWait = () => {
    counts.waits += 1;
    return () => undefined;
  };
  const after = (_ms: number, task: () => void) => {
    due.push(task);
    return () => undefined;
  };
  const recent = new RecentConnections(db, { beginWait }, { after });
  return { db, recent, counts, passTime };
}

/** The server's id of the connection that work gets. */
function idOf(db: Knex): Promise<unknown> {
  return onConnection(db, signal, async (connection) => {
    const [rows] = await connection.promise().query("SELECT CONNECTION_ID() AS id");
    return (rows as { id: number }[])[0]?.id;
  });
}

test("the next work has the connection of the last one, without asking the pool, and is observed; later the pool has it", async () => {
  const { db, counts, passTime } = openPool(2);
  const first = await idOf(db);
  expect(await idOf(db)).toBe(first);
  expect(counts).toEqual({ asked: 1, waits: 1 });
  expect(poolState(db)).toEqual({ used: 0, free: 1, pending: 0 });
  expect(db.client.pool.numUsed()).toBe(1);
  passTime();
  expect(db.client.pool.numUsed()).toBe(0);
  expect(await idOf(db)).toBe(first);
  expect(counts.asked).toBe(2);
});

test("a pool ends at once, whether connections were kept before or are given back then", async () => {
  const { db } = openPool(2);
  await idOf(db);
  const held = Promise.withResolvers<void>();
  const holding = onConnection(db, signal, () => held.promise);
  const ended = db.destroy();
  held.resolve();
  await holding;
  await expect(ended).resolves.toBeUndefined();
});

test("who waits for the pool gets the connection that is given back", async () => {
  const { db } = openPool(1);
  const held = Promise.withResolvers<void>();
  const holding = onConnection(db, signal, () => held.promise);
  const waiting = idOf(db);
  await expect.poll(() => poolState(db).pending).toBe(1);
  held.resolve();
  await holding;
  expect(await waiting).toBeTypeOf("number");
});

test("a connection that ended meanwhile, or while it was lent, is lent to nobody", async () => {
  const { db, recent } = openPool(1);
  const first = await idOf(db);
  const kept = recent.take();
  kept?.destroy();
  if (kept !== undefined) recent.give(kept);
  expect(recent.count).toBe(0);
  const second = await idOf(db);
  expect(second).not.toBe(first);
  expect(recent.count).toBe(1);
  await database.connection.query(`KILL ${Number(second)}`);
  await expect
    .poll(() =>
      db.client.pool.used.every((used: { resource: unknown }) => !db.client.validateConnection(used.resource)),
    )
    .toBe(true);
  expect(await idOf(db)).not.toBe(second);
});
