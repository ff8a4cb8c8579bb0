// A real MySQL 9.7 for the second leg of the store tests.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { join, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { freePort } from "../../processes/free-port.ts";
import { memory, temporaryFolder } from "../../run/temporary-folder.ts";
import { makeOwnedFolder, provideMysqlRoot, removeLeftovers, templateFolder } from "./mysql97-root.ts";

/** Fewer waits for the disk: only a crash of the whole machine could tell, and data of tests would not be missed then. */
const undurable = ["--innodb-flush-log-at-trx-commit=2", "--sync-binlog=0", "--innodb-doublewrite=OFF"];

export interface Mysql97Options {
  readonly log: (line: string) => void;
  /** Whether a commit is on disk before it is acknowledged, as in production. */
  readonly isDurable?: boolean;
  /** One of our own, also where TEST_DATABASE_URL names one. */
  readonly isAnother?: boolean;
  /** Those of the server unless given. */
  readonly maxConnections?: number;
  /** Further options of the server. */
  readonly options?: readonly string[];
}

/** A MySQL server for one test run. */
export interface Mysql97 {
  /** With an administrator's account and without a database: tests create their own. */
  readonly url: string;
  /** Ends the server and removes its data. So does the end of this process, however it comes about. */
  stop(): Promise<void>;
}

/** There is no such server here, and why, in one line. */
export interface NoMysql97 {
  readonly unavailable: string;
}

const runName = "mysql_run";
const readyMs = 60_000;
const pollMs = 50;

/**
 * Runs the server on a copy of the template and removes the copy when the server ends. The server is killed as soon as
 * the input closes, which happens at the latest when the process on its other end is gone. Data in memory is mounted for
 * these processes alone, so that nothing of it can outlive them.
 */
const script = `
root=$1 run=$2 data=$3; shift 3
[ "$data" = disk ] || mount -t tmpfs tmpfs "$root$run" || data=disk
mkdir "$root$run/tmp" && cp -a --reflink=auto "$root${templateFolder}" "$root$run/data" || exit
exec 3<&0
chroot "$root" /usr/sbin/mysqld "$@" >"$root$run/log" 2>&1 </dev/null 3<&- &
server=$!
(cat <&3; kill -KILL "$server") >/dev/null 2>&1 &
wait "$server"
tail -n 5 "$root$run/log"
[ "$data" = disk ] || umount "$root$run"
rm -rf "$root$run"
`;

/**
 * A MySQL server: the one that TEST_DATABASE_URL names, else one of our own, 9.7, on a free port. Never throws because
 * there is none to be had.
 */
export async function startMysql97(options: Mysql97Options): Promise<Mysql97 | NoMysql97> {
  const given = process.env.TEST_DATABASE_URL;
  if (given && !options.isAnother) return { url: given, stop: async () => {} };
  try {
    return await startServer(await provideMysqlRoot(options.log), options);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { unavailable: reason.trim().replaceAll(/\s*\n\s*/g, " | ") };
  }
}

async function startServer(root: string, mysql: Mysql97Options): Promise<Mysql97> {
  const { isDurable = false, maxConnections, options = [] } = mysql;
  const runs = join(root, "var/lib");
  await removeLeftovers(runs, runName);
  const folder = await makeOwnedFolder(runs, runName);
  const port = await freePort();
  const run = `/${relative(root, folder)}`;
  const data = isDurable || temporaryFolder() !== memory ? "disk" : "memory";
  const command = [
    "--mount",
    "sh",
    "-c",
    script,
    "sh",
    root,
    run,
    data,
    ...serverOptions(run, port, isDurable),
    ...options,
  ];
  if (maxConnections !== undefined) command.push(`--max-connections=${maxConnections}`);
  const child = spawn("unshare", command, {
    // Away from the terminal's Ctrl-C: tests that are still ending need the server.
    detached: true,
    stdio: ["pipe", "pipe", "ignore"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const closed = once(child, "close");
  setKeepsAlive(child, false);
  const stop = async () => {
    setKeepsAlive(child, true);
    child.stdin.end();
    await closed;
  };
  const deadline = Date.now() + readyMs;
  while (!(await answers(port, `${run}/data/`))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`MySQL 9.7 does not start: ${output}`);
    }
    await delay(pollMs);
  }
  return { url: `mysql://root@127.0.0.1:${port}`, stop };
}

function serverOptions(run: string, port: number, isDurable: boolean): string[] {
  return [
    "--no-defaults",
    "--user=root",
    `--datadir=${run}/data`,
    `--tmpdir=${run}/tmp`,
    `--socket=${run}/mysqld.sock`,
    `--pid-file=${run}/mysqld.pid`,
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    "--mysqlx=OFF",
    "--secure-file-priv=NULL",
    ...(isDurable ? [] : undurable),
  ];
}

/** Whether a process that has nothing else to do waits for this server. */
function setKeepsAlive(child: ChildProcess, alive: boolean): void {
  const streams = [child.stdin, child.stdout].filter((stream) => stream instanceof Socket);
  for (const handle of [child, ...streams]) {
    if (alive) handle.ref();
    else handle.unref();
  }
}

/** True when the server on this port works in this folder: the port may have been taken by another one meanwhile. */
async function answers(port: number, dataFolder: string): Promise<boolean> {
  try {
    const connection = await createConnection({ host: "127.0.0.1", port, user: "root" });
    try {
      const [rows] = await connection.query<RowDataPacket[]>("SELECT @@datadir AS folder");
      return rows[0]?.folder === dataFolder;
    } finally {
      connection.destroy();
    }
  } catch {
    return false;
  }
}
