// Starts the server program and connects to it.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createConnection } from "mysql2/promise";
import { folderOptions } from "./initialise.ts";
import { feed, findProcess, isRunning, type ProcessRef, terminate } from "./process.ts";
import { baseOptions } from "./program.ts";
import { openServerLog } from "./server-log.ts";
import { type EmbeddedPaths, removeRecord, type ServerRecord, writeRecord } from "./state.ts";

/** The administrator of the private server: no password, since only its system user reaches the socket. */
export const serverUser = "root";
/** The service's database on it. */
export const databaseName = "pas";

/** Recovery after a crash is part of a start, and takes as long as there are changes to redo. */
const readyMs = 120_000;
const stopMs = 30_000;
const connectMs = 5_000;
const pollMs = 25;

/** Socket addresses have 104 bytes on macOS and 108 on Linux, with the zero at the end. */
const maxSocketPathBytes = 103;

const fixedOptions = [
  // No TCP port: nobody else on this machine or the network can connect.
  "--skip-networking",
  "--character-set-server=utf8mb4",
  // An acknowledged write survives a crash of the machine.
  "--innodb-flush-log-at-trx-commit=1",
  "--innodb-buffer-pool-size=128M",
  // Pays off with large pools only.
  "--innodb-buffer-pool-dump-at-shutdown=OFF",
  "--innodb-buffer-pool-load-at-startup=OFF",
  // Takes more memory than everything else.
  "--performance-schema=OFF",
  "--local-infile=OFF",
];

/**
 * Starts the server on its initialised folder, records it and returns when it answers. If it does not, it is stopped, and
 * the error has the last lines of its log.
 */
export async function startServer(
  program: string,
  paths: EmbeddedPaths,
  users: readonly ProcessRef[],
): Promise<ServerRecord> {
  const socketPath = chooseSocketPath(paths);
  const options = serverOptions(paths, socketPath);
  const log = openServerLog(paths.log);
  try {
    // The server is recorded before it runs: if this process is killed in between, nothing else would know of it. So a shell
    // waits in its place, for a line to go on or the end of its input to give up.
    const child = spawn("sh", ["-c", 'read -r go && exec "$@" </dev/null', "sh", program, ...options], {
      // Its own session, so that Ctrl-C at the terminal does not reach it: it is stopped last.
      detached: true,
      stdio: ["pipe", log.fd, log.fd],
    });
    child.unref();
    const record = putOnRecord(child, { socketPath, serverDir: realpathSync(paths.serverDir), users }, paths);
    if (await becomesReady(record)) return record;
    await stopServer(record, paths);
    throw new Error(`${program} did not start:\n${log.tail()}`);
  } finally {
    log.close();
  }
}

/** Records the process and lets it go on; if that fails, it ends. */
function putOnRecord(child: ChildProcess, about: Omit<ServerRecord, keyof ProcessRef>, paths: EmbeddedPaths) {
  let order = "";
  try {
    const server = child.pid === undefined ? undefined : findProcess(child.pid);
    if (server === undefined) throw new Error("no shell could be started for the database server");
    const record: ServerRecord = { ...server, ...about };
    writeRecord(paths, record);
    order = "go\n";
    return record;
  } finally {
    feed(child.stdin, order);
  }
}

function serverOptions(paths: EmbeddedPaths, socketPath: string): string[] {
  return [
    ...baseOptions,
    ...folderOptions(paths.serverDir, paths),
    `--socket=${socketPath}`,
    `--pid-file=${join(paths.serverDir, "server.pid")}`,
    ...fixedOptions,
  ];
}

function chooseSocketPath(paths: EmbeddedPaths): string {
  const inside = join(paths.serverDir, "server.sock");
  if (Buffer.byteLength(inside) <= maxSocketPathBytes) return inside;
  return join(mkdtempSync(join(tmpdir(), "pas-")), "server.sock");
}

/** Waits until the server answers and has the database. False if it has ended, or does not answer for two minutes. */
export async function becomesReady(server: ServerRecord): Promise<boolean> {
  const deadline = performance.now() + readyMs;
  while (isRunning(server) && performance.now() < deadline) {
    if (await createDatabase(server.socketPath)) return true;
    await delay(pollMs);
  }
  return false;
}

async function createDatabase(socketPath: string): Promise<boolean> {
  try {
    const connection = await createConnection({ socketPath, user: serverUser, connectTimeout: connectMs });
    // Without a listener a lost idle connection would end the process.
    connection.on("error", () => {});
    await connection
      .query(`CREATE DATABASE IF NOT EXISTS ${databaseName} CHARACTER SET utf8mb4`)
      .finally(() => connection.end());
    return true;
  } catch {
    // Starting or stopping: the process itself shows which.
    return false;
  }
}

/** Stops the server, kills it after half a minute, and removes what it leaves beside its data. */
export async function stopServer(server: ServerRecord, paths: EmbeddedPaths): Promise<void> {
  await terminate(server, stopMs);
  removeRecord(paths);
  const folder = dirname(server.socketPath);
  if (!existsSync(folder) || realpathSync(folder) === server.serverDir) return;
  rmSync(server.socketPath, { force: true });
  rmdirSync(folder);
}
