// Bringing the schema up to date, and telling whether it is.
import type { Knex } from "knex";
import { onConnection } from "./connection.ts";
import { tables } from "./migrations/0001-tables.ts";
import { hostedPages } from "./migrations/0002-hosted-pages.ts";
import { jobLeases } from "./migrations/0003-job-leases.ts";
import { execute } from "./statement.ts";

/** In the order they are applied. A name is for ever; add new ones at the end. */
const migrations: readonly { readonly name: string; readonly steps: readonly string[] }[] = [
  { name: "0001-tables", steps: tables },
  { name: "0002-hosted-pages", steps: hostedPages },
  { name: "0003-job-leases", steps: jobLeases },
];

const migrationTable = "knex_migrations";
const lock = { sql: "SELECT GET_LOCK('partner-assessment-service.migrate', 300)", names: [] };
const unlock = { sql: "DO RELEASE_LOCK('partner-assessment-service.migrate')", names: [] };

const config: Knex.MigratorConfig = {
  tableName: migrationTable,
  // DDL commits by itself in MySQL; a transaction around it would only pretend.
  disableTransactions: true,
  migrationSource: {
    getMigrations: async () => [...migrations],
    getMigrationName: (migration: { name: string }) => migration.name,
    getMigration: async (migration: { name: string; steps: readonly string[] }) => ({
      up: async (db: Knex) => {
        for (const step of migration.steps) await db.raw(step);
      },
      down: () => Promise.reject(new Error("migrations only go forward")),
    }),
  },
};

/**
 * Applies what is missing; several processes may call it at once, one does the work.
 * @returns the names applied by this call
 */
export function migrate(db: Knex, signal: AbortSignal): Promise<string[]> {
  return onConnection(db, signal, async (connection) => {
    await execute(connection, lock, {});
    try {
      // Knex's own lock stays behind when a process dies; the server's lock above ends with its connection.
      await db.migrate.forceFreeMigrationsLock(config);
      const [, names] = (await db.migrate.latest(config)) as [number, string[]];
      return names;
    } finally {
      await execute(connection, unlock, {});
    }
  });
}

/** The names of migrations that are still to be applied. Throws where the database is away. */
export async function pendingMigrations(db: Knex, signal: AbortSignal): Promise<string[]> {
  const select = { sql: `SELECT name FROM ${migrationTable}`, names: [] };
  let applied: Set<string>;
  try {
    const rows = (await onConnection(db, signal, (connection) => execute(connection, select, {}))) as {
      name: string;
    }[];
    applied = new Set(rows.map((row) => row.name));
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ER_NO_SUCH_TABLE")) throw error;
    applied = new Set();
  }
  return migrations.map(({ name }) => name).filter((name) => !applied.has(name));
}
