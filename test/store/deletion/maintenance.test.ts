// What expired a day ago is removed, and nothing else is. That a wrong clock removes nothing: test/e2e/operation/database-clock.test.ts.
import { randomBytes } from "node:crypto";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { removeExpired } from "../../../src/services/retention/maintenance.ts";
import { batchesOf, countOf } from "../../support/databases/stores.ts";
import { signal } from "../../support/deadline.ts";
import { testDependencies } from "../../support/dependencies.ts";
import { storesOfFile } from "../../support/of-file.ts";

const tables = ["access_tokens", "hosted_links", "hosted_browser_sessions"] as const;
const day = 24 * 60 * 60;

const database = await storesOfFile();
beforeEach(async () => {
  for (const table of tables) await database.connection.query(`DELETE FROM ${table}`);
});

/** Stores rows that expire so many seconds from now, by the database's clock. */
async function store(table: (typeof tables)[number], ...seconds: readonly number[]): Promise<void> {
  const { connection } = database;
  const columns = table === "access_tokens" ? "client_id, scopes" : "partner_id, created_at, session_id";
  const other = table === "access_tokens" ? "''" : "NOW(3), ''";
  const rows = seconds.map((after) => `(?, ?, ${other}, UTC_TIMESTAMP(3) + INTERVAL ${after} SECOND)`).join(", ");
  const values = seconds.flatMap(() => [randomBytes(32), randomBytes(16)]);
  await connection.query(`INSERT INTO ${table} (hash, ${columns}, expires_at) VALUES ${rows}`, values);
}

/** Stores an attempt of a webhook that expired a minute ago. */
async function storeAttempt(): Promise<void> {
  const columns = "id, partner_id, endpoint_id, sequence, attempt, at, took_ms, expires_at";
  const values = "1, '', ?, 1, 1, NOW(3), 1, UTC_TIMESTAMP(3) - INTERVAL 60 SECOND";
  const sql = `INSERT INTO webhook_attempts (${columns}) VALUES (${values})`;
  await database.connection.query(sql, [randomBytes(16)]);
}

const countAttempts = () => countOf(database.connection, "SELECT COUNT(*) FROM webhook_attempts");

function countRows(): Promise<number[]> {
  return Promise.all(tables.map((table) => countOf(database.connection, `SELECT COUNT(*) FROM ${table}`)));
}

test("what expired more than a day ago is removed; what expired later, or is still valid, stays", async () => {
  for (const table of tables) await store(table, -2 * day, -day - 60, -day + 60, -60, 60, day);
  expect(await database.maintenance.deleteExpired(100, await database.now(), signal)).toBe(false);
  expect(await countRows()).toEqual([4, 4, 4]);
  for (const table of tables) {
    const sql = `SELECT COUNT(*) FROM ${table} WHERE expires_at < UTC_TIMESTAMP(3) - INTERVAL 1 DAY`;
    expect(await countOf(database.connection, sql)).toBe(0);
  }
});

test("a backlog of tokens that a run does not end keeps no attempts of webhooks", async () => {
  await store("access_tokens", ...Array.from({ length: 9 }, () => -2 * day));
  await storeAttempt();
  const now = (await database.now()).getTime();
  const run = new AbortController();
  let batches = 0;
  const clock = () => {
    batches += 1;
    if (batches === 4) run.abort();
    return now;
  };
  await expect(
    removeExpired({ ...testDependencies(database, { clock }), batchSizes: batchesOf(1) }, run.signal),
  ).rejects.toThrow();
  expect(await countAttempts()).toBe(0);
  expect((await countRows())[0]).toBeGreaterThan(0);
});

test("tokens that cannot be removed fail the run, and keep no attempts of webhooks", async () => {
  await database.connection.query("RENAME TABLE access_tokens TO moved_tokens");
  onTestFinished(async () => {
    await database.connection.query("RENAME TABLE moved_tokens TO access_tokens");
  });
  await storeAttempt();
  await expect(removeExpired({ ...testDependencies(database), batchSizes: batchesOf(1) }, signal)).rejects.toThrow();
  expect(await countAttempts()).toBe(0);
});
