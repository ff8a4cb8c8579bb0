// Starts and stops the server program.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type Connection, createConnection } from "mysql2/promise";
import { type EmbeddedPaths, openServerLog, requireOwnFolder } from "./folder.ts";
import { baseOptions, findSharedFiles } from "./program.ts";

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
 * Starts the server on its initialised folder and returns when it answers. If it does not, it is stopped, and the error has
 * the last lines of its log.
 */
export async function startServer(program: string, paths: EmbeddedPaths): Promise<void> {
  const socket = [`--socket=${toSocketPath(paths)}`, `--pid-file=${paths.pidFile}`];
  const options = [...baseOptions, ...createFolderOptions(paths.serverDir, paths), ...socket, ...fixedOptions];
  const log = openServerLog(paths.log);
  // Its own session, so that Ctrl-C at the terminal does not reach it: it is stopped last.
  const child = spawn(program, options, { detached: true, stdio: ["ignore", log.fd, log.fd] });
  child.unref();
  // One that could not be spawned has no process id, and counts as ended.
  child.once("error", () => undefined);
  try {
    if (!(await waitUntilReady(child, paths))) throw new Error(`${program} did not start:\n${log.tail()}`);
  } catch (error) {
    // Without a process id the signal would go to the group of this process.
    if (child.pid !== undefined) child.kill("SIGKILL");
    throw error;
  } finally {
    log.close();
  }
  // The one that answers may be another one, whose starter was killed; only one of them has the files.
  if (readPid(paths) !== child.pid) child.kill("SIGKILL");
}

const makeDatabase = `CREATE DATABASE IF NOT EXISTS ${databaseName} CHARACTER SET utf8mb4`;

/** Waits until the server answers and has the database. False if it has ended, or does not answer for two minutes. */
async function waitUntilReady(child: ChildProcess, paths: EmbeddedPaths): Promise<boolean> {
  const deadline = performance.now() + readyMs;
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  while (!hasEnded() && performance.now() < deadline) {
    if (await isServing(paths, makeDatabase)) return true;
    await delay(pollMs);
  }
  return false;
}

/**
 * Whether a server runs. Throws for one that is there and does not answer.
 * @param statement what it is asked
 */
export async function isServing(paths: EmbeddedPaths, statement = "SELECT 1"): Promise<boolean> {
  try {
    const connection = await connect(paths);
    await connection.query(statement).finally(() => connection.end());
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ETIMEDOUT") {
      throw new Error(`the database server of ${paths.dataDir} does not answer: its log is ${paths.log}`);
    }
    return false;
  }
}

/** Resolves when the server closes a connection, as it does when it ends, or at an abort. Throws if none runs. */
export async function waitForConnectionEnd(paths: EmbeddedPaths, signal: AbortSignal): Promise<void> {
  const connection = await connect(paths);
  // An abort or an error ends the wait too.
  await once(connection, "end", { signal }).catch(() => undefined);
  connection.destroy();
}

async function connect(paths: EmbeddedPaths): Promise<Connection> {
  const socketPath = toSocketPath(paths);
  const connection = await createConnection({ socketPath, user: serverUser, connectTimeout: connectMs });
  // Without a listener a lost idle connection would end the process.
  return connection.on("error", () => {});
}

/** Stops the server if it runs, and kills it after half a minute. */
export async function stopServer(paths: EmbeddedPaths): Promise<void> {
  // One that does not answer is there too.
  if (!(await isServing(paths).catch(() => true))) return;
  const pid = readPid(paths);
  process.kill(pid, "SIGTERM");
  const deadline = performance.now() + stopMs;
  while (existsSync(paths.pidFile)) {
    if (performance.now() > deadline) return void process.kill(pid, "SIGKILL");
    await delay(pollMs);
  }
}

function readPid({ pidFile }: EmbeddedPaths): number {
  return Number(readFileSync(pidFile, "utf8"));
}

/** In the server's folder, or where that is too deep, in a folder of this user's own. */
export function toSocketPath({ serverDir }: EmbeddedPaths): string {
  const inside = join(serverDir, "server.sock");
  if (Buffer.byteLength(inside) <= maxSocketPathBytes) return inside;
  const folder = join(tmpdir(), `pas-${createHash("sha256").update(serverDir).digest("hex").slice(0, 16)}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  requireOwnFolder(folder, 0o077);
  return join(folder, "server.sock");
}

/**
 * Makes the server's folders if they are missing. The data folder is filled under another name and then renamed, so that an
 * interrupted start leaves nothing that looks like a database.
 */
export async function initializeServerDir(program: string, paths: EmbeddedPaths): Promise<void> {
  await mkdir(paths.tmpDir, { recursive: true, mode: 0o700 });
  if (existsSync(join(paths.serverDir, "mysql"))) return;
  const prefix = `${basename(paths.serverDir)}.partial-`;
  for (const name of await readdir(paths.dataDir)) {
    // The program of an interrupted start may still be writing there; a later start deletes what it writes.
    if (name.startsWith(prefix)) await rm(join(paths.dataDir, name), { recursive: true, force: true }).catch(() => {});
  }
  const folder = await mkdtemp(join(paths.dataDir, prefix));
  await fillServerDir(program, folder, paths);
  await rename(folder, paths.serverDir);
}

/** The options for a server that works in this folder. */
export function createFolderOptions(folder: string, paths: EmbeddedPaths): string[] {
  return [`--datadir=${folder}`, `--tmpdir=${paths.tmpDir}`];
}

async function fillServerDir(program: string, folder: string, paths: EmbeddedPaths): Promise<void> {
  const log = openServerLog(paths.log);
  try {
    const statements = await readSystemTables(program);
    const options = [...baseOptions, ...createFolderOptions(folder, paths), "--bootstrap", "--log-warnings=0"];
    const child = spawn(program, [...options, "--max-allowed-packet=8M"], { stdio: ["pipe", log.fd, log.fd] });
    // If it ends without reading its input, its exit code shows that.
    child.stdin?.on("error", () => {}).end(statements);
    const [code, signal] = await once(child, "exit");
    if (code !== 0) {
      throw new Error(`${program} could not make its system tables (${signal ?? code}):\n${log.tail()}`);
    }
  } finally {
    log.close();
  }
}

/**
 * The statements that make the system tables, from files of the server. Its own script needs a program that Debian ships
 * in another package. The administrator has no password: the socket is in a folder that nobody else may enter, and there
 * is no network.
 */
async function readSystemTables(program: string): Promise<string> {
  const folder = await findSharedFiles(program);
  const files = ["system_tables", "performance_tables", "system_tables_data"].map(async (name) => {
    const path = [`mariadb_${name}.sql`, `mysql_${name}.sql`].map((file) => join(folder, file)).find(existsSync);
    if (path === undefined) throw new Error(`${program} comes without its file ${name}.sql in ${folder}`);
    return readFile(path, "utf8");
  });
  // One statement a line, as the server requires here.
  return ["CREATE DATABASE mysql;", "USE mysql;", "SET @auth_root_socket=NULL;", ...(await Promise.all(files))].join(
    "\n",
  );
}
