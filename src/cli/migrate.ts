// pas migrate: brings the schema up to date, and publishes the built-in instrument where there is none at all.

import { createDomain } from "../core.ts";
import { publishAssessment } from "../domain/assessments/catalogue.ts";
import { type DatabaseAddress, openDatabase } from "../store/database.ts";
import { migrate } from "../store/migrate.ts";
import { createStores } from "../store/stores.ts";
import { builtInProduct, readBuiltInDefinition } from "../values-bridge/definition/built-in.ts";
import { type Command, type CommandContext, readArguments } from "./command.ts";
import { commandDeadline, provideDatabase } from "./database.ts";

export const migrateCommand: Command = {
  usage: "",
  about: "bring the database schema up to date",
  async run(context) {
    readArguments(context.args, {});
    const database = await provideDatabase(context);
    try {
      context.print({ applied: await prepareDatabase(context, database.address) });
    } finally {
      await database.release();
    }
  },
};

/** Migrates and publishes; safe to run again, and by several processes at once. @returns the migrations applied */
export async function prepareDatabase(
  context: Pick<CommandContext, "say">,
  address: DatabaseAddress,
): Promise<string[]> {
  const deadline = commandDeadline();
  const db = openDatabase({ address, poolSize: 4, warn: context.say });
  try {
    const applied = await migrate(db, deadline.signal);
    const domain = createDomain(createStores(db), (_error, what) => context.say(`${what} failed`));
    const latest = await domain.assessments.findLatestAssessmentId(builtInProduct, deadline.signal);
    if (latest === undefined) await publishAssessment(domain, await readBuiltInDefinition(), deadline);
    return applied;
  } finally {
    await db.destroy();
  }
}
