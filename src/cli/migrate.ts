// pas migrate: brings the schema up to date, and publishes the instrument of this release if needed.

import type { DatabaseAddress } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { publishShipped } from "../services/assessments/assessment-service.ts";
import type { CommandContext } from "./command.ts";
import {
  createDeadline,
  createEndlessSignal,
  openCommandDatabase,
  openDependencies,
  provideDatabase,
} from "./database.ts";

/** Prepares the database, and prints what was done. */
export async function migrateAndPublish(context: CommandContext): Promise<void> {
  await using database = await provideDatabase(context);
  context.print(await prepareDatabase(context, database.address));
}

/**
 * Migrates and publishes; safe to run again, and by several processes at once.
 * @returns the migrations applied, and what was done about the built-in instrument
 */
export async function prepareDatabase({ say }: Pick<CommandContext, "say">, address: DatabaseAddress) {
  await using database = await openCommandDatabase(say, address);
  const migrations = await migrate(database.db, createEndlessSignal());
  const deadline = createDeadline();
  const dependencies = await openDependencies(database, say, deadline.signal);
  const shippedDefinitions = await dependencies.catalogue.product.readShipped();
  const isPublished = await publishShipped(dependencies, shippedDefinitions, deadline);
  return { applied: migrations, instrument: isPublished ? "published" : "kept" };
}
