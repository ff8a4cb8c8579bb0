import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { mkdtemp, rm, watch } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type EmbeddedDatabase, startEmbeddedDatabase } from "../../src/database/embedded/database.ts";
import { findProcess, isRunning, terminate } from "../../src/database/embedded/process.ts";
import { embeddedPaths, readRecord, type ServerRecord } from "../../src/database/embedded/state.ts";
import { provideTestServer } from "../support/databases/servers/test-server.ts";

const ignoreLines = () => {};

/** A data folder in an empty one; a server that a failed test leaves there is ended with it. */
async function newDataDir(...below: string[]): Promise<string> {
  const base = await mkdtemp(join(tmpdir(), "pas-embedded-test-"));
  const dataDir = join(base, ...below);
  onTestFinished(async () => {
    const server = readRecord(embeddedPaths(dataDir));
    if (server !== undefined) await terminate(server, 0);
    await rm(base, { recursive: true, force: true });
  });
  return dataDir;
}

function start(dataDir: string): Promise<EmbeddedDatabase> {
  return startEmbeddedDatabase({ dataDir, log: ignoreLines });
}

function recordOf(dataDir: string): ServerRecord {
  const record = readRecord(embeddedPaths(dataDir));
  if (record === undefined) throw new Error("no server is on record");
  return record;
}

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
  const [said] = await once(owner.stdout ?? owner, "data");
  return String(said);
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

const accessOfOthers = (path: string) => statSync(path).mode & 0o077;

describe("the private database server", { timeout: 60_000 }, () => {
  beforeAll(() => provideTestServer(ignoreLines), 300_000);

  test("a first start in a folder that does not exist gives an empty, durable database that answers", async () => {
    const dataDir = await newDataDir("not", "there");
    const database = await start(dataDir);
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

  test("what is written before a stop is there after the next start", async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    await query(first, "CREATE TABLE kept AS SELECT 42 AS answer");
    await first.stop();
    const second = await start(dataDir);
    onTestFinished(() => second.stop());
    expect(second.started).toBe(true);
    expect(await query(second, "SELECT answer FROM kept")).toEqual([[42]]);
  });

  test("a stop ends the server and removes its record", async () => {
    const dataDir = await newDataDir();
    const database = await start(dataDir);
    const server = recordOf(dataDir);
    expect(isRunning(server)).toBe(true);
    await Promise.all([database.stop(), database.stop()]);
    expect(isRunning(server)).toBe(false);
    expect(readdirSync(dataDir).sort()).toEqual(["mysql", "mysql.log", "mysql.tmp"]);
  });

  test("a second start joins the running server and its stop, even when repeated, leaves it running", async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    const server = recordOf(dataDir);
    const second = await start(dataDir);
    expect(second).toMatchObject({ started: false, connection: first.connection });
    await second.stop();
    await second.stop();
    expect(await query(first, "SELECT 1")).toEqual([[1]]);
    await first.stop();
    expect(isRunning(server)).toBe(false);
  });

  test("a process that started the server and leaves does not take it away from one that joined", async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    const server = recordOf(dataDir);
    const second = await start(dataDir);
    await first.stop();
    expect(await query(second, "SELECT 1")).toEqual([[1]]);
    await second.stop();
    expect(isRunning(server)).toBe(false);
  });

  test("a server whose owner was killed belongs to the next start", async () => {
    const dataDir = await newDataDir();
    const owner = spawnOwner(dataDir);
    expect(await saying(owner)).toBe("started");
    await killNow(owner);
    const server = recordOf(dataDir);
    expect(isRunning(server)).toBe(true);
    const next = await start(dataDir);
    expect(next.started).toBe(false);
    expect(await query(next, "SELECT 1")).toEqual([[1]]);
    expect(recordOf(dataDir).pid).toBe(server.pid);
    await next.stop();
    expect(isRunning(server)).toBe(false);
  });

  test("a server whose owner was killed before it answered is waited for by the next start", async () => {
    const dataDir = await newDataDir();
    await (await start(dataDir)).stop();
    // The log of an initialised folder changes with the first words of the server.
    await killOwnerAt(dataDir, "mysql.log");
    const server = recordOf(dataDir);
    const next = await start(dataDir);
    expect(next.started).toBe(false);
    expect(recordOf(dataDir).pid).toBe(server.pid);
    await next.stop();
    expect(isRunning(server)).toBe(false);
  });

  test("a server that could not be put on record does not run", async () => {
    const dataDir = await newDataDir();
    const { record } = embeddedPaths(dataDir);
    mkdirSync(record);
    await expect(start(dataDir)).rejects.toThrow("embedded.json");
    rmdirSync(record);
    // Two servers cannot run on one folder.
    const next = await start(dataDir);
    onTestFinished(() => next.stop());
    expect(next.started).toBe(true);
  });

  test("a folder whose initialisation was cut short is initialised by the next start", async () => {
    const dataDir = await newDataDir();
    await killOwnerAt(dataDir, "mysql.partial-");
    expect(existsSync(join(dataDir, "mysql"))).toBe(false);
    const next = await start(dataDir);
    expect(next.started).toBe(true);
    expect(await query(next, "SELECT 1")).toEqual([[1]]);
    await next.stop();
    expect(readdirSync(dataDir).sort()).toEqual(["mysql", "mysql.log", "mysql.tmp"]);
  });

  test("of starts at the same time, in one process and in several, one starts the server and all use it", async () => {
    const dataDir = await newDataDir();
    const owners = [spawnOwner(dataDir), spawnOwner(dataDir)];
    const [here, ...elsewhere] = await Promise.all([
      Promise.all([start(dataDir), start(dataDir)]),
      ...owners.map(saying),
    ]);
    const said = [...here.map(({ started }) => (started ? "started" : "joined")), ...elsewhere];
    expect(said.sort()).toEqual(["joined", "joined", "joined", "started"]);
    const server = recordOf(dataDir);
    expect(server.users).toHaveLength(4);
    await Promise.all(owners.map(killNow));
    await Promise.all(here.map((database) => database.stop()));
    expect(isRunning(server)).toBe(false);
  });

  test("a server that was killed is started again with every committed write", async () => {
    const dataDir = await newDataDir();
    const first = await start(dataDir);
    await query(first, "CREATE TABLE kept AS SELECT 42 AS answer");
    const crashed = recordOf(dataDir);
    process.kill(crashed.pid, "SIGKILL");
    await terminate(crashed, 0);
    const second = await start(dataDir);
    expect(second.started).toBe(true);
    expect(await query(first, "SELECT answer FROM kept")).toEqual([[42]]);
    const server = recordOf(dataDir);
    await second.stop();
    expect(isRunning(server)).toBe(true);
    await first.stop();
    expect(isRunning(server)).toBe(false);
  });

  test("a copied data folder does not join the server of the original", async () => {
    const dataDir = await newDataDir();
    const original = await start(dataDir);
    onTestFinished(() => original.stop());
    const copyDir = await newDataDir();
    await (await start(copyDir)).stop();
    copyFileSync(embeddedPaths(dataDir).record, embeddedPaths(copyDir).record);
    const copy = await start(copyDir);
    onTestFinished(() => copy.stop());
    expect(copy.started).toBe(true);
    expect(recordOf(copyDir).pid).not.toBe(recordOf(dataDir).pid);
  });

  test("a data folder reached through a symbolic link is the same data folder", async () => {
    const dataDir = await newDataDir("data");
    const first = await start(dataDir);
    const server = recordOf(dataDir);
    const link = join(dirname(dataDir), "link");
    symlinkSync(dataDir, link);
    const second = await start(link);
    expect(second).toMatchObject({ started: false, connection: first.connection });
    await first.stop();
    await second.stop();
    expect(isRunning(server)).toBe(false);
  });

  test("nobody else may enter the folder of data and socket, or read the record and the log", async () => {
    const dataDir = await newDataDir();
    const database = await start(dataDir);
    onTestFinished(() => database.stop());
    const { socketPath } = database.connection;
    expect(statSync(socketPath).isSocket()).toBe(true);
    const paths = embeddedPaths(dataDir);
    expect([dirname(socketPath), paths.serverDir, paths.record, paths.log].map(accessOfOthers)).toEqual([0, 0, 0, 0]);
  });

  test("a data folder too deep for a socket path keeps its socket in a closed folder elsewhere", async () => {
    const dataDir = await newDataDir("d".repeat(120));
    const database = await start(dataDir);
    const socketDir = dirname(database.connection.socketPath);
    expect(accessOfOthers(socketDir)).toBe(0);
    expect(await query(database, "SELECT 1")).toEqual([[1]]);
    const joined = await start(dataDir);
    expect(joined.connection).toEqual(database.connection);
    await joined.stop();
    await database.stop();
    expect(existsSync(socketDir)).toBe(false);
  });

  test("the server leads a process group of its own, which the Ctrl-C of a terminal does not reach", async () => {
    const dataDir = await newDataDir();
    const database = await start(dataDir);
    onTestFinished(() => database.stop());
    const { pid } = recordOf(dataDir);
    expect(() => process.kill(-pid, 0)).not.toThrow();
  });

  test("a process that has ended counts as ended even where nobody collects it", async () => {
    const parent = spawn("sh", ["-c", "sleep 600 & echo $!; exec sleep 600"]);
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [pid] = await once(parent.stdout, "data");
    const child = findProcess(Number(pid));
    if (child === undefined) throw new Error("the process does not run");
    await expect(terminate(child, 5_000)).resolves.toBeUndefined();
  });

  test("a server that cannot start is an error with the end of its log, and leaves nothing running", async () => {
    const dataDir = await newDataDir();
    await (await start(dataDir)).stop();
    for (const file of ["ibdata1", "ib_logfile0"]) {
      writeFileSync(join(dataDir, "mysql", file), "no database\n".repeat(100_000));
    }
    await expect(start(dataDir)).rejects.toThrow(/did not start:\n(.*\n)*.*InnoDB/);
    expect(readdirSync(dataDir).sort()).toEqual(["mysql", "mysql.log", "mysql.tmp"]);
  });
});
