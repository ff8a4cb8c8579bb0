// The database for commands: the configured one, or the embedded server of the data folder.

import { backgroundAcquireTimeoutMs, type ConnectionFailure, type DatabaseAddress } from "../database/database.ts";
import { startEmbeddedDatabase } from "../database/embedded/database.ts";
import { listPendingMigrations, migrate } from "../database/migrate.ts";
import { type Deadline, monotonic } from "../kernel/environment.ts";
import { connectDependencies } from "../process/process-base.ts";
import { ShardSet } from "../process/shard-set.ts";
import type { Dependencies } from "../services/dependencies.ts";
import type { CommandContext } from "./command.ts";

/** Disposing of it stops an embedded server without other users. */
interface AvailableDatabase extends AsyncDisposable {
  readonly address: DatabaseAddress;
  readonly isEmbedded: boolean;
}

type DatabaseContext = Pick<CommandContext, "config" | "say">;

const commandTimeoutMs = 10 * 60_000;

/** The configured database, else the embedded one, started if it is not running. */
export async function provideDatabase({ config, say }: DatabaseContext): Promise<AvailableDatabase> {
  if (config.DATABASE_URL !== undefined) {
    const address = { url: config.DATABASE_URL };
    return { address, isEmbedded: false, [Symbol.asyncDispose]: async () => undefined };
  }
  const server = await startEmbeddedDatabase({ dataDir: config.DATA_DIR, log: say });
  return { address: { url: server.url }, isEmbedded: true, [Symbol.asyncDispose]: () => server.stop() };
}

/** A deadline for a command, or for one part of a long one. */
export function createDeadline(): Deadline {
  return { signal: AbortSignal.timeout(commandTimeoutMs), endsAt: monotonic() + commandTimeoutMs };
}

/** A signal without a deadline, for work of any duration, for example an index on a large table. */
export function createEndlessSignal(): AbortSignal {
  return new AbortController().signal;
}

/** The reason why the database cannot be used. */
function describeFailure({ code, host, port, fault }: ConnectionFailure): string {
  return `${fault} (${host}${port === undefined ? "" : `:${port}`}, ${code})`;
}

/** Opens the database and its shards for a command, which waits long for connections. */
export async function openCommandDatabase(say: CommandContext["say"], address: DatabaseAddress): Promise<ShardSet> {
  const warn = (failure: ConnectionFailure) => say(describeFailure(failure));
  const options = { address, warn, acquireTimeoutMs: backgroundAcquireTimeoutMs, poolSize: 4 };
  const shards = new ShardSet(options, (_error, source) => say(`${source} failed`));
  await shards.refresh(createDeadline().signal);
  return shards;
}

/** Use cases over the database, with the database's clock if this host's agrees. */
export async function openDependencies(
  shards: ShardSet,
  say: CommandContext["say"],
  signal: AbortSignal,
): Promise<Dependencies> {
  const { dependencies, readClock } = connectDependencies(shards, {
    reportDefect: (_error, source) => say(`${source} failed`),
  });
  await readClock(signal);
  return dependencies;
}

/** Runs use cases over the database, whose schema must be up to date; an embedded one is brought up to date first. */
export async function withDependencies<T>(
  context: DatabaseContext,
  work: (dependencies: Dependencies, deadline: Deadline) => Promise<T>,
): Promise<T> {
  await using database = await provideDatabase(context);
  await using handle = await openCommandDatabase(context.say, database.address);
  // A data folder is one installation's own.
  if (database.isEmbedded) await migrate(handle.db, createEndlessSignal());
  const deadline = createDeadline();
  const pending = await listPendingMigrations(handle.db, deadline.signal);
  if (pending.length > 0) throw new Error("the database schema is behind; bring it up to date with `pas migrate`");
  return await work(await openDependencies(handle, context.say, deadline.signal), deadline);
}
