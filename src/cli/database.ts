// The database for commands: the configured one, or the embedded server of the data folder.
import { createDomain } from "../core.ts";
import type { Deadline } from "../domain/environment.ts";
import { startEmbeddedDatabase } from "../embedded-database/database.ts";
import { type DatabaseAddress, openDatabase } from "../store/database.ts";
import { migrate, pendingMigrations } from "../store/migrate.ts";
import { createStores } from "../store/stores.ts";
import type { CommandContext } from "./command.ts";

export interface AvailableDatabase {
  readonly address: DatabaseAddress;
  readonly isEmbedded: boolean;
  /** Ends the use; an embedded server that nobody else uses is stopped. */
  release(): Promise<void>;
}

type DatabaseContext = Pick<CommandContext, "config" | "say">;

const commandTimeoutMs = 10 * 60_000;

/** The configured database, else the embedded one, started where it is not running. */
export async function provideDatabase({ config, say }: DatabaseContext): Promise<AvailableDatabase> {
  if (config.DATABASE_URL !== undefined) {
    return { address: { url: config.DATABASE_URL }, isEmbedded: false, release: async () => undefined };
  }
  const embedded = await startEmbeddedDatabase({ dataDir: config.DATA_DIR, log: say });
  return { address: embedded.connection, isEmbedded: true, release: () => embedded.stop() };
}

/** What use cases need. */
export type Domain = ReturnType<typeof createDomain>;

/** A deadline for a command, or for one part of a long one. */
export function commandDeadline(): Deadline {
  return { signal: AbortSignal.timeout(commandTimeoutMs), at: Date.now() + commandTimeoutMs };
}

/** The signal of what takes as long as it takes: an index on a large table, for example. */
export function untilDone(): AbortSignal {
  return new AbortController().signal;
}

/** Runs use cases over the database, whose schema must be up to date; an embedded one is brought up to date first. */
export async function withDomain<T>(
  context: DatabaseContext,
  work: (domain: Domain, deadline: Deadline) => Promise<T>,
): Promise<T> {
  const database = await provideDatabase(context);
  const db = openDatabase({ address: database.address, poolSize: 4, warn: context.say });
  try {
    if (database.isEmbedded) await migrate(db, untilDone());
    const deadline = commandDeadline();
    const pending = await pendingMigrations(db, deadline.signal);
    if (pending.length > 0) throw new Error("the database schema is behind; bring it up to date with `pas migrate`");
    const reportDefect = (_error: unknown, what: string) => context.say(`${what} failed`);
    return await work(createDomain(createStores(db), reportDefect), deadline);
  } finally {
    await db.destroy();
    await database.release();
  }
}
