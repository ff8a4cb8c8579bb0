// Bringing the schema up to date, and telling whether it is.
import { setTimeout as wait } from "node:timers/promises";
import type { Knex } from "knex";
import type { Connection, RowDataPacket } from "mysql2";
import { discard, onConnection } from "./connection.ts";
import { isMissingTable } from "./database-errors.ts";
import { migrations as all, type Migration } from "./migrations/all.ts";
import { prepareForSteps, runStep, tableOf } from "./migrations/step.ts";
import { divided, undivided } from "./shards.ts";
import { execute } from "./statement.ts";

const migrationTable = "knex_migrations";
const lockName = "partner-assessment-service.migrate";
// Each function of locks alone in its statement, as Vitess demands.
const takeLock = { sql: `SELECT GET_LOCK('${lockName}', ?)`, names: ["seconds"] };
const lockHolder = { sql: `SELECT IS_USED_LOCK('${lockName}')`, names: [] };
const releaseLock = { sql: `SELECT RELEASE_LOCK('${lockName}')`, names: [] };

/** What a test sets otherwise. */
export interface MigrateOptions {
  readonly migrations?: readonly Migration[];
  /** How long to wait for another process that migrates. */
  readonly lockSeconds?: number;
  /** Waits before a step is tried again whose table is in use. */
  readonly pause?: () => Promise<void>;
  /** Databases of shards. Then the database itself is `global`, and each table is made where the vschemas of Vitess have it. */
  readonly shards?: readonly Knex[];
}

/**
 * Applies what is missing; several processes may call it at once, one does the work. What a newer release has applied
 * is left alone. Everything runs on one connection, which has the lock of the server: with the connection the lock is
 * lost, and no further step runs. Shards have connections of their own; what was done there is found by the next call.
 * @returns the names applied by this call
 */
export function migrate(db: Knex, signal: AbortSignal, options: MigrateOptions = {}): Promise<string[]> {
  const { lockSeconds = 300, pause = someSeconds, migrations = all, shards = [] } = options;
  return onConnection(db, signal, async (connection) => {
    const holder = await lock(connection, lockSeconds);
    try {
      const applied = await appliedMigrations(connection);
      if (migrations.every(({ name }) => applied.has(name))) return [];
      return await atPlaces(connection, shards, signal, async (places) => {
        const migrator = knexMigrator({ connection, holder, places, migrations, pause });
        // Knex's own lock stays behind when a process dies; the server's lock above ends with its connection.
        await db.migrate.forceFreeMigrationsLock(migrator);
        const [, names] = (await db.migrate.latest(migrator)) as [number, string[]];
        return names;
      });
    } finally {
      // A connection that is lost has lost the lock as well.
      await execute(connection, releaseLock, {}).catch(() => undefined);
      // What steps need of a connection, nothing else does.
      discard(connection);
    }
  });
}

/** Where steps run: on a connection, those of the tables that are there. Undefined: all are. */
interface Place {
  readonly connection: Connection;
  readonly tables: ReadonlySet<string> | undefined;
}

/** Lends a connection of each shard beside the one that has the lock. */
async function atPlaces<T>(
  connection: Connection,
  shards: readonly Knex[],
  signal: AbortSignal,
  work: (places: readonly Place[]) => Promise<T>,
): Promise<T> {
  await prepareForSteps(connection);
  if (shards.length === 0) return work([{ connection, tables: undefined }]);
  const tables = await tablesIn(connection, divided);
  const places = [{ connection, tables: await tablesIn(connection, undivided) }];
  const lendAll = shards.reduce(
    (lendOthers, db) => () =>
      onConnection(db, signal, async (other) => {
        await prepareForSteps(other);
        places.push({ connection: other, tables });
        return lendOthers().finally(() => discard(other));
      }),
    () => work(places),
  );
  return lendAll();
}

/** The tables that the vschema of a keyspace names. The connection is in that keyspace then. */
async function tablesIn(connection: Connection, keyspace: string): Promise<ReadonlySet<string>> {
  await connection.promise().query(`USE ${keyspace}`);
  const [rows] = await connection.promise().query("SHOW VSCHEMA TABLES");
  return new Set((rows as RowDataPacket[]).map((row) => String(Object.values(row)[0])));
}

/** The names of migrations that are to be applied before this release serves. Throws where the database is away. */
export function pendingMigrations(db: Knex, signal: AbortSignal): Promise<string[]> {
  return onConnection(db, signal, pendingMigrationsOn);
}

/** The same on a connection that the caller holds. Rejects as the driver does. */
export async function pendingMigrationsOn(connection: Connection): Promise<string[]> {
  const applied = await appliedMigrations(connection);
  return all.map(({ name }) => name).filter((name) => !applied.has(name));
}

async function appliedMigrations(connection: Connection): Promise<ReadonlySet<string>> {
  const select = { sql: `SELECT name FROM ${migrationTable}`, names: [] };
  const rows = await execute(connection, select, {}).catch((error: unknown) => {
    if (isMissingTable(error)) return [];
    throw error;
  });
  return new Set((rows as { name: string }[]).map(({ name }) => name));
}

/** The id by which the server knows the connection that has the lock now: behind a proxy, not what the connection hears. */
async function lock(connection: Connection, seconds: number): Promise<unknown> {
  if ((await soleValue(connection, takeLock, { seconds })) === 1) return soleValue(connection, lockHolder, {});
  throw new Error(`another process has been migrating for ${seconds} s; run \`pas migrate\` again when it is done`);
}

/** The one value that a statement gives, whatever its column is called. */
async function soleValue(...call: Parameters<typeof execute>): Promise<unknown> {
  const [row = {}] = (await execute(...call)) as RowDataPacket[];
  return Object.values(row)[0];
}

interface MigratorOptions {
  /** The one that has the lock. */
  readonly connection: Connection;
  readonly holder: unknown;
  readonly places: readonly Place[];
  readonly migrations: readonly Migration[];
  readonly pause: () => Promise<void>;
}

/** Knex keeps the record of what was applied. */
function knexMigrator({ connection, holder, places, migrations, pause }: MigratorOptions): Knex.MigratorConfig {
  const up = async ({ name, steps }: Migration) => {
    for (const step of steps) {
      const has = ({ tables }: Place) => tables === undefined || tables.has(tableOf(step));
      for (const place of places.filter(has)) await runStep(place.connection, step, pause);
    }
    if ((await soleValue(connection, lockHolder, {})) !== holder) throw new Error(`the lock was lost during ${name}`);
  };
  return {
    tableName: migrationTable,
    // DDL commits by itself in MySQL; a transaction around it would only pretend.
    disableTransactions: true,
    // A newer release may have applied more than this one knows.
    disableMigrationsListValidation: true,
    migrationSource: {
      getMigrations: async () => [...migrations],
      getMigrationName: ({ name }: Migration) => name,
      getMigration: async (migration: Migration) => ({
        up: () => up(migration),
        down: () => Promise.reject(new Error("migrations only go forward")),
      }),
    },
  };
}

/** Long enough for those who waited for the step, and never the same for two processes. */
async function someSeconds(): Promise<void> {
  await wait(1_000 + 4_000 * Math.random());
}
