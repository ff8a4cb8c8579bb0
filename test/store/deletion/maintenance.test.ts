// What expired a day ago is removed in batches, and nothing else is, whatever the clock of the host says.

import { randomBytes } from "node:crypto";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../../src/config.ts";
import { poolState } from "../../../src/database/connection.ts";
import { shardJobs } from "../../../src/process/background-jobs.ts";
import { removeExpired } from "../../../src/services/retention/maintenance.ts";
import { createStores } from "../../../src/store/stores.ts";
import { poolOfTest } from "../../support/databases/pool.ts";
import { countOf, runningStatements } from "../../support/databases/stores.ts";
import { testDomain } from "../../support/domain.ts";
import { newRunner } from "../../support/jobs.ts";
import { storesOfFile } from "../../support/of-file.ts";

const { signal } = new AbortController();
const tables = ["access_tokens", "hosted_links", "hosted_browser_sessions"] as const;
const day = 24 * 60 * 60;
const minute = 60_000;

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

function left(): Promise<number[]> {
  return Promise.all(tables.map((table) => countOf(database.connection, `SELECT COUNT(*) FROM ${table}`)));
}

test("what expired more than a day ago is removed; what expired later, or is still valid, stays", async () => {
  for (const table of tables) await store(table, -2 * day, -day - 60, -day + 60, -60, 60, day);
  expect(await database.maintenance.deleteExpired(100, await database.now(), signal)).toBe(false);
  expect(await left()).toEqual([4, 4, 4]);
  for (const table of tables) {
    const sql = `SELECT COUNT(*) FROM ${table} WHERE expires_at < UTC_TIMESTAMP(3) - INTERVAL 1 DAY`;
    expect(await countOf(database.connection, sql)).toBe(0);
  }
});

test("a host whose clock is days ahead removes nothing that is still valid", async () => {
  for (const table of tables) await store(table, 60, 3600);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10 * day * 1000 });
  onTestFinished(() => void vi.useRealTimers());
  await removeExpired(database, signal);
  expect(await left()).toEqual([2, 2, 2]);
});

test("a run that the database delays uses one connection, never overlaps another, and releases it at its deadline", async () => {
  const db = poolOfTest({ address: database.address, poolSize: 8 });
  const stores = createStores(db);
  const { timers, runner, runs } = newRunner({ leases: stores.jobLeases });
  const sequencing = { sequencer: { run: async () => undefined }, log: stores.events };
  const observers = { observeDeleted: () => undefined, observeEndedKeys: () => undefined };
  const jobs = shardJobs(testDomain(stores), sequencing, observers, readConfig({}));
  const job = jobs.find(({ name }) => name === "maintenance");
  if (job === undefined) throw new Error("there is no such job");
  // Due far more often than in service, so that passes could pile up before the deadline of the first.
  runner.start({ ...job, intervalMs: 1_000 });
  await store("access_tokens", -2 * day);
  const { connection } = database;
  const expiring = [...tables, "report_links", "report_browser_sessions"];
  await connection.query(`LOCK TABLES ${expiring.map((table) => `${table} WRITE`).join(", ")}`);
  onTestFinished(async () => {
    await connection.query("UNLOCK TABLES");
  });
  await timers.pass(1_000);
  const looking = async () =>
    (await runningStatements(connection)).filter((sql) => sql.startsWith("SELECT hash FROM access_tokens")).length;
  await expect.poll(looking).toBe(1);
  await timers.pass(minute - 2_000);
  expect(poolState(db)).toMatchObject({ used: 1, pending: 0 });
  await timers.pass(2_000);
  await expect.poll(() => runs.map(({ outcome }) => outcome)).toEqual(["deadline_exceeded"]);
  await runner.stop(0);
  await expect.poll(() => poolState(db).used).toBe(0);
});
