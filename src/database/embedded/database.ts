// The private database server of a data folder: started by the first process that needs it, stopped by the last.
import { type EmbeddedPaths, resolveEmbeddedPaths } from "./folder.ts";
import { tryLock, withLock } from "./lock.ts";
import { provideServerProgram } from "./program.ts";
import {
  databaseName,
  initializeServerDir,
  isServing,
  serverUser,
  startServer,
  stopServer,
  toSocketPath,
  waitForConnectionEnd,
} from "./server.ts";

/** A private server, as this process uses it. */
export interface EmbeddedDatabase {
  readonly connection: { readonly socketPath: string; readonly user: string; readonly database: string };
  /** The same as a value of DATABASE_URL. */
  readonly url: string;
  /** True when this call has started the server, false when it was already running. */
  readonly started: boolean;
  /**
   * Ends the use. The server stops when no process uses it any more: a command that started it does not stop it for a
   * service that joined later.
   */
  stop(): Promise<void>;
}

export interface EmbeddedDatabaseOptions {
  /** The data folder, made on first use. */
  readonly dataDir: string;
  /** Prints a line at the terminal. */
  readonly log: (line: string) => void;
}

/**
 * The private server of a data folder, running, with the database of the service. Joins one that runs already; if several
 * processes call at the same time, one starts it. The first start unpacks the server program if this machine has none, and
 * initialises the folder. Throws if there is no server program or it does not start.
 */
export async function startEmbeddedDatabase(options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const paths = resolveEmbeddedPaths(options.dataDir);
  return withLock(paths.lock, async () => {
    const server = await startUnlessServing(paths, options.log);
    const leave = tryLock(paths.users, "shared");
    if (leave === undefined) throw new Error(`another program has locked ${paths.users}; let it end`);
    let stopping: Promise<void> | undefined;
    const socketPath = toSocketPath(paths);
    return {
      connection: { socketPath, user: serverUser, database: databaseName },
      url: `mysql://${serverUser}@localhost/${databaseName}?socketPath=${encodeURIComponent(socketPath)}`,
      started: server,
      stop: () => {
        stopping ??= withLock(paths.lock, async () => {
          leave();
          const release = tryLock(paths.users, "exclusive");
          if (release !== undefined) await stopServer(paths).finally(release);
        });
        return stopping;
      },
    };
  });
}

/**
 * Waits for the end of the private server of a data folder, for a process that uses it, and starts it again. If several
 * processes call at the same time, one starts it. Processes that use the dead one reach the new one by the same socket.
 * @returns whether this call has started it. Throws if it does not start.
 */
export async function reviveEmbeddedDatabase({ dataDir, log }: EmbeddedDatabaseOptions, stopping: AbortSignal) {
  const paths = resolveEmbeddedPaths(dataDir);
  // One that has died already has no connection to wait for.
  await waitForConnectionEnd(paths, stopping).catch(() => undefined);
  if (stopping.aborted || (await isServing(paths))) return false;
  return withLock(paths.lock, () => startUnlessServing(paths, log));
}

async function startUnlessServing(paths: EmbeddedPaths, log: EmbeddedDatabaseOptions["log"]): Promise<boolean> {
  if (await isServing(paths)) return false;
  const program = await provideServerProgram(paths.dataDir, log);
  await initializeServerDir(program, paths);
  await startServer(program, paths);
  return true;
}
