import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { rm, watch } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  type EmbeddedDatabase,
  reviveEmbeddedDatabase,
  startEmbeddedDatabase,
} from "../../src/database/embedded/database.ts";
import { resolveEmbeddedPaths } from "../../src/database/embedded/folder.ts";
import { startServer } from "../../src/database/embedded/server.ts";
import { isRunning, killServerOf, serverPidOf } from "../support/databases/servers/embedded-server.ts";
import { provideTestServer } from "../support/databases/servers/test-server.ts";
import { folderOfTest } from "../support/folders.ts";

const ignoreLines = () => {};

/** A data folder in an empty one; a server that a failed test leaves there is ended with it. */
async function newDataDir(...below: string[]): Promise<string> {
  const dataDir = join(folderOfTest(), ...below);
  onTestFinished(() => killServerOf(dataDir));
  return dataDir;
}

function start(dataDir: string): Promise<EmbeddedDatabase> {
  return startEmbeddedDatabase({ dataDir, log: ignoreLines });
}

/** A server on a data folder of its own, and its process. */
async function startNew(...below: string[]) {
  const dataDir = await newDataDir(...below);
  const database = await start(dataDir);
  return { dataDir, database, server: pidIn(dataDir) };
}

function pidIn(dataDir: string): number {
  const pid = serverPidOf(dataDir);
  if (pid === undefined) throw new Error("no server runs");
  return pid;
}

/** All that is in a data folder after a stop. */
const stoppedFiles = ["embedded.lock", "embedded.users", "mysql", "mysql.log", "mysql.tmp"];

async function query(database: EmbeddedDatabase, sql: string): Promise<unknown[]> {
  const connection = await createConnection(database.connection);
  try {
    const [rows] = await connection.query<RowDataPacket[]>({ sql, rowsAsArray: true });
    return rows;
  } finally {
    await connection.end();
  }
}

/** A process of its own that starts the server; it says `started` or `joined` on its output, and stays. */
function spawnOwner(dataDir: string): ChildProcess {
  const module = new URL("../../src/database/embedded/database.ts", import.meta.url).href;
  const script = `
    import { startEmbeddedDatabase } from ${JSON.stringify(module)};
    const { started } = await startEmbeddedDatabase({ dataDir: ${JSON.stringify(dataDir)}, log() {} });
    process.stdout.write(started ? "started" : "joined");
    process.stdin.resume();`;
  const owner = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void owner.kill("SIGKILL"));
  return owner;
}

async function saying(owner: ChildProcess): Promise<string> {
  const [output] = await once(owner.stdout ?? owner, "data");
  return String(output);
}

async function killNow(owner: ChildProcess): Promise<void> {
  const ended = once(owner, "exit");
  owner.kill("SIGKILL");
  await ended;
}

/** Starts an owner and kills it as soon as something happens to a file with this prefix in the data folder. */
async function killOwnerAt(dataDir: string, prefix: string): Promise<void> {
  const changes = watch(dataDir);
  const owner = spawnOwner(dataDir);
  for await (const { filename } of changes) {
    if (filename?.startsWith(prefix)) break;
  }
  await killNow(owner);
}

/** Every server process on a data folder, also one that does not answer. */
function serversOf(dataDir: string): number[] {
  const pids = readdirSync("/proc").map(Number).filter(isRunning);
  const option = `--datadir=${join(dataDir, "mysql")}`;
  return pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(option));
}

const accessOfOthers = (path: string) => statSync(path).mode & 0o077;

describe("the private database server", () => {
  beforeAll(() => provideTestServer(ignoreLines));

  test("a first start in a folder that does not exist gives an empty, durable database that answers", async () => {
    const { dataDir, database } = await startNew("not", "there");
    onTestFinished(() => database.stop());
    expect(database.started).toBe(true);
    expect(
      await query(
        database,
        "SELECT DATABASE(), @@character_set_database, @@innodb_flush_log_at_trx_commit, @@log_bin, @@skip_networking",
      ),
    ).toEqual([["pas", "utf8mb4", 1, 0, 1]]);
    expect(await query(database, "SELECT @@tmpdir")).toEqual([[join(dataDir, "mysql.tmp")]]);
    expect(await query(database, "SHOW TABLES")).toEqual([]);
  });

  test("data written before a stop is read after the next start", async () => {
    const { dataDir, database: first } = await startNew();
    await query(first, "CREATE TABLE kept AS SELECT 42 AS answer");
    await first.stop();
    const second = await start(dataDir);
    onTestFinished(() => second.stop());
    expect(second.started).toBe(true);
    expect(await query(second, "SELECT answer FROM kept")).toEqual([[42]]);
  });

  test("a stop ends the server", async () => {
    const { dataDir, database, server } = await startNew();
    expect(isRunning(server)).toBe(true);
    await Promise.all([database.stop(), database.stop()]);
    await expect.poll(() => isRunning(server)).toBe(false);
    expect(readdirSync(dataDir).sort()).toEqual(stoppedFiles);
  });

  test("a second start joins the running server and its stop, even when repeated, leaves it running", async () => {
    const { dataDir, database: first, server } = await startNew();
    const second = await start(dataDir);
    expect(second).toMatchObject({ started: false, connection: first.connection });
    await second.stop();
    await second.stop();
    expect(await query(first, "SELECT 1")).toEqual([[1]]);
    await first.stop();
    await expect.poll(() => isRunning(server)).toBe(false);
  });

  test("a process that started the server and leaves does not take it away from one that joined", async () => {
    const { dataDir, database: first, server } = await startNew();
    const second = await start(dataDir);
    await first.stop();
    expect(await query(second, "SELECT 1")).toEqual([[1]]);
    await second.stop();
    await expect.poll(() => isRunning(server)).toBe(false);
  });

  test("a server whose owner was killed belongs to the next start", async () => {
    const dataDir = await newDataDir();
    const owner = spawnOwner(dataDir);
    expect(await saying(owner)).toBe("started");
    await killNow(owner);
    const server = pidIn(dataDir);
    expect(isRunning(server)).toBe(true);
    const next = await start(dataDir);
    expect(next.started).toBe(false);
    expect(await query(next, "SELECT 1")).toEqual([[1]]);
    expect(pidIn(dataDir)).toBe(server);
    await next.stop();
    await expect.poll(() => isRunning(server)).toBe(false);
  });

  test("a server whose owner was killed before it answered is waited for by the next start", async () => {
    const dataDir = await newDataDir();
    await (await start(dataDir)).stop();
    // The log of an initialised folder changes with the first words of the server.
    await killOwnerAt(dataDir, "mysql.log");
    const next = await start(dataDir);
    const server = pidIn(dataDir);
    expect(await query(next, "SELECT 1")).toEqual([[1]]);
    expect(serversOf(dataDir)).toEqual([server]);
    await next.stop();
    await expect.poll(() => serversOf(dataDir)).toEqual([]);
  });

  test("a folder whose initialisation was cut short is initialised by the next start", async () => {
    const dataDir = await newDataDir();
    await killOwnerAt(dataDir, "mysql.partial-");
    expect(existsSync(join(dataDir, "mysql"))).toBe(false);
    const next = await start(dataDir);
    expect(next.started).toBe(true);
    expect(await query(next, "SELECT 1")).toEqual([[1]]);
    await next.stop();
    expect(readdirSync(dataDir).sort()).toEqual(stoppedFiles);
  });

  test("several starts at the same time, in one process or in several, start one server, and all use it", async () => {
    const dataDir = await newDataDir();
    const owners = [spawnOwner(dataDir), spawnOwner(dataDir)];
    const [here, ...elsewhere] = await Promise.all([
      Promise.all([start(dataDir), start(dataDir)]),
      ...owners.map(saying),
    ]);
    const states = [...here.map(({ started }) => (started ? "started" : "joined")), ...elsewhere];
    expect(states.sort()).toEqual(["joined", "joined", "joined", "started"]);
    const server = pidIn(dataDir);
    await Promise.all(owners.map(killNow));
    await Promise.all(here.map((database) => database.stop()));
    await expect.poll(() => isRunning(server)).toBe(false);
  });

  test("a server that was killed is started again with every committed write", async () => {
    const { dataDir, database: first, server: crashed } = await startNew();
    await query(first, "CREATE TABLE kept AS SELECT 42 AS answer");
    await killServerOf(dataDir);
    await expect.poll(() => isRunning(crashed)).toBe(false);
    const second = await start(dataDir);
    expect(second.started).toBe(true);
    expect(await query(first, "SELECT answer FROM kept")).toEqual([[42]]);
    const server = pidIn(dataDir);
    await second.stop();
    expect(isRunning(server)).toBe(true);
    await first.stop();
    await expect.poll(() => isRunning(server)).toBe(false);
  });

  test("a copied data folder does not join the server of the original", async () => {
    const { dataDir, database: original, server } = await startNew();
    onTestFinished(() => original.stop());
    const copyDir = await newDataDir();
    await (await start(copyDir)).stop();
    copyFileSync(resolveEmbeddedPaths(dataDir).pidFile, resolveEmbeddedPaths(copyDir).pidFile);
    const copy = await start(copyDir);
    onTestFinished(() => copy.stop());
    expect(copy.started).toBe(true);
    expect(pidIn(copyDir)).not.toBe(server);
  });

  test("a data folder reached through a symbolic link is the same data folder", async () => {
    const { dataDir, database: first, server } = await startNew("data");
    const link = join(dirname(dataDir), "link");
    symlinkSync(dataDir, link);
    const second = await start(link);
    expect(second).toMatchObject({ started: false, connection: first.connection });
    await first.stop();
    await second.stop();
    await expect.poll(() => isRunning(server)).toBe(false);
  });

  test("nobody else may enter the folder of data and socket, or take the locks and read the log", async () => {
    const { dataDir, database } = await startNew();
    onTestFinished(() => database.stop());
    const { socketPath } = database.connection;
    expect(statSync(socketPath).isSocket()).toBe(true);
    const paths = resolveEmbeddedPaths(dataDir);
    const closed = [dirname(socketPath), paths.serverDir, paths.lock, paths.users, paths.log];
    expect(closed.map(accessOfOthers)).toEqual([0, 0, 0, 0, 0]);
  });

  test("a data folder too deep for a socket path keeps its socket in a closed folder elsewhere", async () => {
    const { dataDir, database } = await startNew("d".repeat(120));
    const socketDir = dirname(database.connection.socketPath);
    onTestFinished(() => rm(socketDir, { recursive: true }));
    expect(accessOfOthers(socketDir)).toBe(0);
    expect(await query(database, "SELECT 1")).toEqual([[1]]);
    const joined = await start(dataDir);
    expect(joined.connection).toEqual(database.connection);
    await joined.stop();
    await database.stop();
    expect(readdirSync(socketDir)).toEqual([]);
  });

  test("the server leads a process group of its own, which the Ctrl-C of a terminal does not reach", async () => {
    const { database, server } = await startNew();
    onTestFinished(() => database.stop());
    expect(() => process.kill(-server, 0)).not.toThrow();
  });

  test("a server that cannot start is an error with the end of its log, and leaves nothing running", async () => {
    const dataDir = await newDataDir();
    await (await start(dataDir)).stop();
    for (const file of ["ibdata1", "ib_logfile0"]) {
      writeFileSync(join(dataDir, "mysql", file), "no database\n".repeat(100_000));
    }
    await expect(start(dataDir)).rejects.toThrow(/did not start:\n(.*\n)*.*InnoDB/);
    expect(readdirSync(dataDir).sort()).toEqual(stoppedFiles);
  });

  test("a server whose program cannot be run is an error, and the process lives", async () => {
    const dataDir = await newDataDir();
    await (await start(dataDir)).stop();
    const missing = join(dataDir, "no-program");
    await expect(startServer(missing, resolveEmbeddedPaths(dataDir))).rejects.toThrow("did not start");
  });
});

test.each([0o777, 0o770, 0o1777])(
  "a data folder with mode %o, which others may write to, is refused and left alone",
  async (mode) => {
    const dataDir = await newDataDir("data");
    mkdirSync(dataDir);
    chmodSync(dataDir, mode);
    await expect(start(dataDir)).rejects.toThrow(
      /is open to other users.*chmod 700 .* or set DATA_DIR to another folder/,
    );
    expect(readdirSync(dataDir)).toEqual([]);
    chmodSync(dataDir, 0o755);
    await (await start(dataDir)).stop();
  },
);

test("the watch over a running server waits on one connection, and changes nothing", async () => {
  const { dataDir, database } = await startNew();
  onTestFinished(() => database.stop());
  const status = (name: string) => query(database, `SHOW GLOBAL STATUS LIKE '${name}'`);
  const created = await status("Com_create_db");
  const alone = await status("Threads_connected");
  const stopping = new AbortController();
  const watching = reviveEmbeddedDatabase({ dataDir, log: ignoreLines }, stopping.signal);
  await expect.poll(() => status("Threads_connected")).not.toEqual(alone);
  stopping.abort();
  expect(await watching).toBe(false);
  expect(await status("Com_create_db")).toEqual(created);
});
