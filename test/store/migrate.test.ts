import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { migrate, pendingMigrations } from "../../src/store/migrate.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

test("migrations started by several processes at once are applied once, and again change nothing", async () => {
  const signal = AbortSignal.timeout(30_000);
  const pools = [1, 2, 3].map(() =>
    openDatabase({ address: database.address, poolSize: 4, warn: (message) => console.log(message) }),
  );
  try {
    const [first] = pools;
    if (first === undefined) throw new Error("no pool");
    expect(await pendingMigrations(first, signal)).not.toEqual([]);
    const applied = await Promise.all(pools.map((db) => migrate(db, signal)));
    expect(applied.map((names) => names.length).sort()).toEqual([0, 0, 3]);
    expect(await migrate(first, signal)).toEqual([]);
    expect(await pendingMigrations(first, signal)).toEqual([]);
  } finally {
    await Promise.all(pools.map((db) => db.destroy()));
  }
});
