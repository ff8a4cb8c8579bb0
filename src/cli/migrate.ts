// pas migrate: brings the schema up to date, and publishes the instrument of this release where it should be.

import { publishShipped, type ShippedOutcome } from "../domain/assessments/shipped.ts";
import { type DatabaseAddress, openDatabase } from "../store/database.ts";
import { migrate } from "../store/migrate.ts";
import { readShippedDefinitions } from "../values-bridge/definition/built-in.ts";
import { type Command, type CommandContext, readArguments } from "./command.ts";
import { commandDeadline, openDomain, provideDatabase, sayTrouble, untilDone } from "./database.ts";

export const migrateCommand: Command = {
  usage: "[--rolled-out]",
  about: "bring the database schema and the built-in instrument up to date",
  async run(context) {
    const { options } = readArguments(context.args, { "rolled-out": "boolean" });
    const database = await provideDatabase(context);
    try {
      const isRolledOut = database.isEmbedded || options["rolled-out"] === true;
      context.print(await prepareDatabase(context, database.address, isRolledOut));
    } finally {
      await database.release();
    }
  },
};

/** What a preparation of the database did. */
export interface Prepared {
  /** The migrations applied. */
  readonly applied: string[];
  /** What became of the built-in instrument. */
  readonly instrument: ShippedOutcome;
}

/**
 * Migrates and publishes; safe to run again, and by several processes at once.
 * @param isRolledOut whether no process runs an earlier release
 */
export async function prepareDatabase(
  { say }: Pick<CommandContext, "say">,
  address: DatabaseAddress,
  isRolledOut = false,
): Promise<Prepared> {
  const db = openDatabase({ address, poolSize: 4, warn: sayTrouble(say) });
  try {
    const applied = await migrate(db, untilDone(), { isRolledOut });
    const deadline = commandDeadline();
    const domain = await openDomain(db, say, deadline.signal);
    const instrument = await publishShipped(domain, await readShippedDefinitions(), deadline);
    if (instrument === "kept") say("An instrument of your own is published, so the built-in one is not.");
    return { applied, instrument };
  } finally {
    await db.destroy();
  }
}
