// Migrates the schema, and checks whether it is up to date.
import { setTimeout as wait } from "node:timers/promises";
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import { discard, onConnection } from "./connection.ts";
import { hasCode } from "./database-errors.ts";
import { migrations as all, type Migration } from "./migrations/all.ts";
import { keyspaces, listShards, shardDatabase } from "./shards.ts";
import { execute } from "./statement.ts";

const makeTable = `CREATE TABLE IF NOT EXISTS migrations (
  name VARBINARY(255) NOT NULL PRIMARY KEY,
  applied_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3))`;
const listApplied = { sql: "SELECT name FROM migrations", names: [] };
const noteApplied = { sql: "INSERT INTO migrations (name) VALUES (?)", names: ["name"] };
const lockName = "partner-assessment-service.migrate";
/** How long to wait for another process that migrates. */
const lockSeconds = 300;
// Each lock function in a statement of its own, as Vitess requires.
const takeLock = { sql: `SELECT GET_LOCK('${lockName}', ${lockSeconds})`, names: [] };
const lockHolder = { sql: `SELECT IS_USED_LOCK('${lockName}')`, names: [] };
const releaseLock = { sql: `SELECT RELEASE_LOCK('${lockName}')`, names: [] };

export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  /** Whether each table is made where the vschemas of Vitess have it: in `global`, and on each shard of `assess`. */
  readonly isDivided?: boolean;
}

/**
 * Applies what is missing; several processes may call it at once, one does the work. Migrations of a newer release are
 * left alone. Everything runs on one connection, which holds the server's lock: if the connection is lost, so is the lock,
 * and no further step runs. The next call finds what was done.
 * @returns the names applied by this call
 */
export function migrate(db: Knex, signal: AbortSignal, options: MigrateOptions = {}): Promise<string[]> {
  const { migrations = all, isDivided = false } = options;
  return onConnection(db, signal, async (connection) => {
    const holder = await lock(connection);
    try {
      const appliedNames = await appliedMigrations(connection);
      const missing = migrations.filter(({ name }) => !appliedNames.has(name));
      if (missing.length > 0) {
        await apply(missing, { connection, holder, targets: isDivided ? await findTargets(connection) : [undivided] });
      }
      return missing.map(({ name }) => name);
    } finally {
      // If the connection is lost, so is the lock.
      await execute(connection, releaseLock, {}).catch(() => undefined);
      // Settings for steps only.
      discard(connection);
    }
  });
}

/** Where steps run. */
interface Target {
  /** Undefined: the database of the connection. */
  readonly database?: string;
  /** The tables that are there; undefined: all. */
  readonly tables?: ReadonlySet<string>;
}

const undivided: Target = {};

async function findTargets(connection: Connection): Promise<Target[]> {
  const session = connection.promise();
  const tablesIn = async (keyspace: string) => {
    await session.query(`USE ${keyspace}`);
    const [rows] = await session.query("SHOW VSCHEMA TABLES");
    return new Set((rows as RowDataPacket[]).map((row) => String(Object.values(row)[0])));
  };
  const tables = await tablesIn(keyspaces.divided);
  const shards = await listShards(connection);
  const onShards = shards.map((shard) => ({ database: shardDatabase(shard), tables }));
  return [...onShards, { database: keyspaces.undivided, tables: await tablesIn(keyspaces.undivided) }];
}

/** The migrations that must be applied before this release serves. Throws if the database is away. */
export function pendingMigrations(db: Knex, signal: AbortSignal): Promise<string[]> {
  return onConnection(db, signal, async (connection) => {
    const appliedNames = await appliedMigrations(connection);
    return all.map(({ name }) => name).filter((name) => !appliedNames.has(name));
  });
}

async function appliedMigrations(connection: Connection): Promise<ReadonlySet<string>> {
  const rows = await execute(connection, listApplied, {}).catch((error: unknown) => {
    if (hasCode(error, "ER_NO_SUCH_TABLE")) return [];
    throw error;
  });
  return new Set((rows as { name: Buffer }[]).map(({ name }) => name.toString()));
}

/** The server's id of the connection that holds the lock: behind a proxy the connection's own id may differ. */
async function lock(connection: Connection): Promise<unknown> {
  if ((await soleValue(connection, takeLock, {})) === 1) return soleValue(connection, lockHolder, {});
  throw new Error(`another process has been migrating for ${lockSeconds} s; run \`pas migrate\` again when it is done`);
}

/** The single value of a row, whatever its column is called. */
async function soleValue(...call: Parameters<typeof execute>): Promise<unknown> {
  const [row = {}] = (await execute(...call)) as RowDataPacket[];
  return Object.values(row)[0];
}

interface ApplyOptions {
  /** Has the lock. */
  readonly connection: Connection;
  /** The server's id of that connection. */
  readonly holder: unknown;
  readonly targets: readonly Target[];
}

async function apply(missing: readonly Migration[], { connection, holder, targets }: ApplyOptions) {
  await runStep(connection, makeTable);
  for (const { name, steps } of missing) {
    for (const { database, tables } of targets) {
      if (database !== undefined) await connection.promise().query("USE ??", [database]);
      for (const step of steps) if (tables?.has(parseTable(step)) ?? true) await runStep(connection, step);
    }
    if ((await soleValue(connection, lockHolder, {})) !== holder) throw new Error(`the lock was lost during ${name}`);
    await execute(connection, noteApplied, { name });
  }
}

/** The table that a step makes, alters or fills. */
function parseTable(step: string): string {
  const [, table] =
    /^\s*(?:CREATE|DROP|ALTER|RENAME|INSERT|UPDATE|DELETE)(?: (?:TABLE|INTO|IGNORE|FROM|IF|NOT|EXISTS))* `?(\w+)/.exec(
      step,
    ) ?? [];
  if (table === undefined) throw new Error(`a step names no table: ${step}`);
  return table;
}

/**
 * How long a step waits for a table that a transaction uses. All other statements on the table wait behind it, so it gives
 * up soon and lets them pass.
 */
const tableLockSeconds = 2;
/** Then it is retried for some five minutes. */
const maxTries = 100;

/** A column or key to be added is there, or one to be dropped is not. */
const appliedBefore = ["ER_DUP_FIELDNAME", "ER_DUP_KEYNAME", "ER_CANT_DROP_FIELD_OR_KEY"];

/** Runs a step unless its effect is there, on a connection for steps only. Rejects as the driver does. */
async function runStep(connection: Connection, step: string): Promise<void> {
  const session = connection.promise();
  await session.query(`SET SESSION lock_wait_timeout = ${tableLockSeconds}`);
  for (let tries = 1; ; tries += 1) {
    try {
      await session.query(step);
      return;
    } catch (error) {
      if (hasCode(error, ...appliedBefore)) return;
      if (!hasCode(error, "ER_LOCK_WAIT_TIMEOUT")) throw error;
      if (tries === maxTries)
        throw new Error("a table stays in use by a transaction that does not end", { cause: error });
      // Long enough for those who waited for the step, and never the same in two processes.
      await wait(1_000 + 4_000 * Math.random());
    }
  }
}
