// Migrates the schema, and checks whether it is up to date.
import { setTimeout as wait } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { hasCode } from "./database-errors.ts";
import { migrations as all, type Migration } from "./migrations/all.ts";
import { keyspaces, listShards, toShardDatabase } from "./shards.ts";
import { type Statement, sql } from "./statement.ts";

const makeTable = `CREATE TABLE IF NOT EXISTS migrations (
  name VARBINARY(255) NOT NULL PRIMARY KEY,
  applied_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))`;
const selectMigrations = sql`SELECT name FROM migrations`;
const recordMigration = sql`INSERT INTO migrations (name) VALUES (:name)`;
const lockName = "partner-assessment-service.migrate";
/** The longest wait for another process that migrates. */
const lockSeconds = 300;
// Each lock function in a statement of its own, as Vitess requires.
const acquireLock = sql`SELECT GET_LOCK('${lockName}', ${lockSeconds})`;
const lockHolder = sql`SELECT IS_USED_LOCK('${lockName}')`;
const releaseLock = sql`SELECT RELEASE_LOCK('${lockName}')`;

/**
 * Applies what is missing; several processes may call it at once, one does the work. Migrations of a newer release are
 * left alone. Everything runs on one connection, which holds the server's lock: if the connection is lost, so is the lock,
 * and no further step runs. The next call finds what was done.
 * @returns the names applied by this call
 */
export function migrate(db: Database, signal: AbortSignal, migrations = all): Promise<string[]> {
  return db.useConnection(signal, async (connection) => {
    const holder = await requireLock(connection);
    try {
      const appliedNames = await listAppliedMigrations(connection);
      const missing = migrations.filter(({ name }) => !appliedNames.has(name));
      if (missing.length > 0) await applyMigrations(missing, connection, holder);
      return missing.map(({ name }) => name);
    } finally {
      // If the connection is lost, so is the lock.
      await connection.execute(releaseLock, {}).catch(() => undefined);
      // Settings for steps only.
      connection.discard();
    }
  });
}

/** The migrations that must be applied before this release serves. Throws if the database is away. */
export function listPendingMigrations(db: Database, signal: AbortSignal): Promise<string[]> {
  return db.useConnection(signal, async (connection) => {
    const appliedNames = await listAppliedMigrations(connection);
    return all.map(({ name }) => name).filter((name) => !appliedNames.has(name));
  });
}

async function listAppliedMigrations(connection: Connection): Promise<ReadonlySet<string>> {
  const rows = await connection.findAll(selectMigrations, {}).catch((error: unknown) => {
    if (hasCode(error, "ER_NO_SUCH_TABLE")) return [];
    throw error;
  });
  return new Set(rows.map(({ name }) => String(name)));
}

/** The server's id of the connection that holds the lock: behind a proxy the connection's own id may differ. */
async function requireLock(connection: Connection): Promise<unknown> {
  if ((await fetchValue(connection, acquireLock)) === 1) return fetchValue(connection, lockHolder);
  throw new Error(`another process has been migrating for ${lockSeconds} s; run \`pas migrate\` again when it is done`);
}

/** The single value of a row, whatever its column is called. */
async function fetchValue(connection: Connection, statement: Statement): Promise<unknown> {
  const [row = {}] = await connection.findAll(statement, {});
  return Object.values(row)[0];
}

/** @param connection has the lock. @param holder the server's id of it */
async function applyMigrations(missing: readonly Migration[], connection: Connection, holder: unknown): Promise<void> {
  const isDivided = connection.driver.config.database?.startsWith("@");
  const shards = isDivided ? await listShards(connection) : [""];
  const use = async (database: string) => isDivided && (await connection.driver.promise().query("USE ??", [database]));
  await use(keyspaces.undivided);
  await runStep(connection, makeTable);
  for (const { name, steps, globalSteps = [] } of missing) {
    for (const shard of shards) {
      await use(toShardDatabase(shard));
      for (const step of steps) await runStep(connection, step);
    }
    await use(keyspaces.undivided);
    for (const step of globalSteps) await runStep(connection, step);
    if ((await fetchValue(connection, lockHolder)) !== holder) throw new Error(`the lock was lost during ${name}`);
    await connection.execute(recordMigration, { name });
  }
}

/**
 * The longest wait of a step for a table that a transaction uses. All other statements on the table wait behind it, so it gives
 * up soon and lets them pass.
 */
const tableLockSeconds = 2;
/** Then it is retried for some five minutes. */
const maxTries = 100;

/** A column or key to be added is there, or one to be dropped is not. */
const alreadyAppliedCodes = ["ER_DUP_FIELDNAME", "ER_DUP_KEYNAME", "ER_CANT_DROP_FIELD_OR_KEY"];

/** Runs a step unless its effect is there, on a connection for steps only. Rejects as the driver does. */
async function runStep(connection: Connection, step: string): Promise<void> {
  const session = connection.driver.promise();
  await session.query(`SET SESSION lock_wait_timeout = ${tableLockSeconds}`);
  for (let tries = 1; ; tries += 1) {
    try {
      await session.query(step);
      return;
    } catch (error) {
      if (hasCode(error, ...alreadyAppliedCodes)) return;
      if (!hasCode(error, "ER_LOCK_WAIT_TIMEOUT")) throw error;
      if (tries === maxTries)
        throw new Error("a table stays in use by a transaction that does not end", { cause: error });
      // Long enough for those who waited for the step, and never the same in two processes.
      await wait(1_000 + 4_000 * Math.random());
    }
  }
}
