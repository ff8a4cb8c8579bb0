// What the databases of tests are copies of. A migration takes a second, and a lock of which the whole server has one:
// files that run side by side would wait for each other.

import { randomBytes } from "node:crypto";
import type { Connection, RowDataPacket } from "mysql2/promise";
import { prepareDatabase } from "../../../src/cli/migrate.ts";
import { Database } from "../../../src/database/database.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { signal } from "../deadline.ts";
import { createDatabase, type DatabaseServer, type TestDatabase } from "./servers/server.ts";

/** Statements that make a copy of each template in the database of a connection. */
export interface Templates {
  /** The schema as migrations leave it. */
  readonly migrated: readonly string[];
  /** The same, with the built-in instrument. */
  readonly prepared: readonly string[];
}

/** Makes the templates on a server, where they stay until they are dropped. */
export async function createTemplates(server: DatabaseServer): Promise<Templates & { drop(): Promise<void> }> {
  const migrated = await createTemplate(server, applyMigrations);
  const prepared = await createTemplate(server, ({ address }) => prepareDatabase({ say: () => undefined }, address));
  return {
    migrated: migrated.statements,
    prepared: prepared.statements,
    async drop() {
      await migrated.drop();
      await prepared.drop();
    },
  };
}

async function createTemplate(server: DatabaseServer, fill: (database: TestDatabase) => Promise<unknown>) {
  const name = `pas_template_${randomBytes(6).toString("hex")}`;
  const database = await createDatabase(server, name);
  await fill(database);
  return { statements: await copyStatements(database.connection, name), drop: () => database.drop() };
}

async function applyMigrations({ address }: TestDatabase): Promise<void> {
  const db = new Database({ address, poolSize: 4, warn: () => undefined });
  await migrate(db, signal);
  await db.destroy();
}

async function copyStatements(connection: Connection, database: string): Promise<string[]> {
  const read = async (sql: string) => (await connection.query<RowDataPacket[][]>({ sql, rowsAsArray: true }))[0];
  const statements: string[] = [];
  for (const [table] of await read("SHOW TABLES")) {
    const [[, create] = []] = await read(`SHOW CREATE TABLE ${table}`);
    statements.push(String(create));
    const rows = await read(`SELECT 1 FROM ${table} LIMIT 1`);
    // By name: Vitess wants to know the columns.
    const columns = (await read(`SHOW COLUMNS FROM ${table}`)).map(([name]) => `\`${name}\``).join(", ");
    if (rows.length > 0) {
      statements.push(`INSERT INTO ${table} (${columns}) SELECT ${columns} FROM ${database}.${table}`);
    }
  }
  return statements;
}
