// The private database server of a data folder: started by the first process that needs it, stopped by the last.
import { initialiseServerDir } from "./initialise.ts";
import { withLock } from "./lock.ts";
import { isRunning, type ProcessRef, thisProcess } from "./process.ts";
import { provideServerProgram } from "./program.ts";
import { becomesReady, databaseName, serverUser, startServer, stopServer } from "./server.ts";
import {
  type EmbeddedPaths,
  embeddedPaths,
  livingUsers,
  readRecord,
  type ServerRecord,
  withoutUser,
  writeRecord,
} from "./state.ts";

/** This process's use of a private server. */
export interface EmbeddedDatabase {
  readonly connection: { readonly socketPath: string; readonly user: string; readonly database: string };
  /** True when this call has started the server, false when it was already running. */
  readonly started: boolean;
  /**
   * Ends the use. The server stops when no living process uses it any more, whoever started it: a command that ends does not
   * stop the server of a service that joined later, and the server of a killed process is stopped in the end.
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
export async function startEmbeddedDatabase({ dataDir, log }: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> {
  const paths = embeddedPaths(dataDir);
  return withLock(paths.lock, async () => {
    const joined = await joinRunning(paths);
    if (joined !== undefined) return inUse(paths, joined, false);
    const left = readRecord(paths);
    const started = await startAgain(paths, left, [...livingUsers(left), thisProcess()], log);
    return inUse(paths, started, true);
  });
}

/**
 * Restarts the private server of a data folder if it has died; one that was stopped stays stopped. If several processes call
 * at the same time, one starts it.
 * @returns whether this call has started it. Throws when it does not start.
 */
export async function reviveEmbeddedDatabase({ dataDir, log }: EmbeddedDatabaseOptions): Promise<boolean> {
  const paths = embeddedPaths(dataDir);
  const hasDied = () => {
    const record = readRecord(paths);
    return record === undefined || isRunning(record) ? undefined : record;
  };
  if (hasDied() === undefined) return false;
  return withLock(paths.lock, async () => {
    const left = hasDied();
    if (left !== undefined) await startAgain(paths, left, livingUsers(left), log);
    return left !== undefined;
  });
}

/** A killed server leaves its record. Processes that use it reach the new one by the same socket. */
async function startAgain(
  paths: EmbeddedPaths,
  left: ServerRecord | undefined,
  users: readonly ProcessRef[],
  log: EmbeddedDatabaseOptions["log"],
): Promise<ServerRecord> {
  if (left !== undefined) await stopServer(left, paths);
  const program = await provideServerProgram(paths.dataDir, log);
  await initialiseServerDir(program, paths);
  return startServer(program, paths, users);
}

/** Adds this process to the users of the running server. Undefined when none is running. */
async function joinRunning(paths: EmbeddedPaths): Promise<ServerRecord | undefined> {
  const record = readRecord(paths);
  if (record === undefined) return undefined;
  if (await becomesReady(record)) {
    const joined = { ...record, users: [...livingUsers(record), thisProcess()] };
    writeRecord(paths, joined);
    return joined;
  }
  if (isRunning(record)) {
    throw new Error(`the database server that runs as process ${record.pid} does not answer: its log is ${paths.log}`);
  }
  return undefined;
}

function inUse(paths: EmbeddedPaths, server: ServerRecord, started: boolean): EmbeddedDatabase {
  let stopping: Promise<void> | undefined;
  return {
    connection: { socketPath: server.socketPath, user: serverUser, database: databaseName },
    started,
    stop: () => {
      stopping ??= withLock(paths.lock, () => leave(paths, server));
      return stopping;
    },
  };
}

async function leave(paths: EmbeddedPaths, server: ServerRecord): Promise<void> {
  // The server may be another one after a crash, and a deleted data folder has no record.
  const record = readRecord(paths) ?? server;
  const users = withoutUser(livingUsers(record), thisProcess());
  if (users.length > 0) writeRecord(paths, { ...record, users });
  else await stopServer(record, paths);
}
