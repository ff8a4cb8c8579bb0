// A schema of its own for a test file, on the server of the leg.
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { prepareDatabase } from "../../../src/cli/migrate.ts";
import { dividedUrl, emptyDivided } from "./servers/divided.ts";
import { createDatabase, type DatabaseServer, type TestDatabase } from "./servers/server.ts";
import type { Templates } from "./templates.ts";

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: DatabaseServer;
    databaseTemplates: Templates;
  }
}

/** An empty database. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return createDatabase(inject("databaseServer"), `pas_test_${randomBytes(6).toString("hex")}`);
}

/** A database with the schema, without any assessment. */
export function createMigratedDatabase(): Promise<TestDatabase> {
  return createCopy("migrated");
}

/** A database with the schema and the built-in instrument. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createCopy("prepared");
}

async function createCopy(template: keyof Templates): Promise<TestDatabase> {
  const divided = dividedUrl(inject("databaseServer"));
  if (divided !== undefined) {
    const database = await emptyDivided(divided);
    if (template === "prepared") await prepareDatabase({ say: () => undefined }, database.address);
    return database;
  }
  const database = await createEmptyDatabase();
  for (const statement of inject("databaseTemplates")[template]) await database.connection.query(statement);
  return database;
}
