// Every call of the store as jobs of a shard make it: by connections to that shard, where Vitess writes statements anew.
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase } from "../support/databases/database.ts";
import type { TestDatabase } from "../support/databases/servers/server.ts";
import { openShards, type TestShards } from "../support/databases/shards.ts";
import { newRows, storeCalls, storeRows } from "../support/databases/store-calls.ts";

let database: TestDatabase;
let testShards: TestShards;
beforeAll(async () => {
  database = await createTestDatabase();
  testShards = await openShards(database.address);
});
afterAll(async () => {
  await testShards[Symbol.asyncDispose]();
  await database.drop();
});

test("every call of the store does on the shard of its partner what it does through vtgate", async () => {
  const { signal } = new AbortController();
  const rows = newRows();
  await storeRows(testShards.stores, rows);
  const matches = await Promise.all(testShards.shards.map(({ sessions }) => sessions.findSession(rows.open, signal)));
  const shard = testShards.shards.find((_, index) => matches[index] !== undefined);
  if (shard === undefined) throw new Error("no shard has the partner");
  const failures: string[] = [];
  for (const { name, call } of storeCalls(shard, rows)) {
    await call(signal).catch((error: Error) => failures.push(`${name}: ${error.message}`));
  }
  expect(failures).toEqual([]);
});
