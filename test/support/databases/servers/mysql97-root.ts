// The small root of Debian's unstable release that holds MySQL 9.7, made once in the user's cache folder: no stable
// release of Debian has a MySQL server.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readdir, rename } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { openServerLog } from "../../../../src/database/embedded/folder.ts";
import { provide, provideLibrary } from "../../run/programs.ts";
import { isRunning } from "./embedded-server.ts";

/** An initialised data folder, as seen from inside the root; a run starts from a copy of it. */
export const templateFolder = "/var/lib/mysql-template";

const partialName = "mysql97.partial";
/** Unpacked, not installed: the server needs no more, and that takes a third of the time. */
const packages = "base-files,base-passwd,dash,mysql-server-core,mysql-client-core";
/** A mirror may be a snapshot of some months ago. */
const options = ["--variant=extract", '--aptopt=Acquire::Check-Valid-Until "false"', `--include=${packages}`];
const timeoutMs = 900_000;

/**
 * The absolute path of the root. The first call makes it, which takes half a minute, 400 MB, the network and the rights
 * of root; it throws when one of them is missing. An interrupted one leaves nothing that is taken for a root.
 */
export async function provideMysqlRoot(log: (line: string) => void): Promise<string> {
  if (process.getuid?.() !== 0) throw new Error("MySQL 9.7 needs root, for chroot; or set TEST_DATABASE_URL");
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "partner-assessment-service");
  const root = join(cache, "mysql97");
  await mkdir(cache, { recursive: true });
  await removeLeftovers(cache, partialName);
  if (existsSync(root)) return root;
  await provideLibrary("/usr/share/keyrings/debian-archive-keyring.gpg");
  const mmdebstrap = await provide("mmdebstrap");
  log(`unpacking MySQL 9.7 into ${root}: once, half a minute and 400 MB`);
  const partial = await makeOwnedFolder(cache, partialName);
  try {
    await run(mmdebstrap, [...options, "sid", partial], `${root}.log`);
    await copyFile(join(partial, "usr/share/base-passwd/passwd.master"), join(partial, "etc/passwd"));
    const initialise = ["--no-defaults", "--user=root", "--initialize-insecure", `--datadir=${templateFolder}`];
    await run("chroot", [partial, "/usr/sbin/mysqld", ...initialise], `${root}.log`);
    // Another test run may have come first; then its root is as good.
    await rename(partial, root).catch((error) => existsSync(root) || Promise.reject(error));
    return root;
  } finally {
    await removeTree(partial);
  }
}

/** Makes a folder that names this process as its owner. */
export function makeOwnedFolder(parent: string, name: string): Promise<string> {
  return mkdtemp(join(parent, `${name}-${process.pid}-`));
}

/** Removes the folders of this name whose owners have ended without doing so. */
export async function removeLeftovers(parent: string, name: string): Promise<void> {
  for (const entry of await readdir(parent)) {
    const [start, pid] = entry.split("-");
    if (start === name && !isRunning(Number(pid))) await removeTree(join(parent, entry));
  }
}

async function run(command: string, args: readonly string[], logPath: string): Promise<void> {
  const log = openServerLog(logPath);
  try {
    const child = spawn(command, args, { stdio: ["ignore", log.fd, log.fd], timeout: timeoutMs });
    const [code, signal] = await once(child, "exit");
    if (code !== 0) throw new Error(`${command} failed (${signal ?? code}), see ${logPath}: ${log.tail()}`);
  } finally {
    log.close();
  }
}

/** An interrupted bootstrap may leave file systems mounted in its folder, and what is in those must live on. */
async function removeTree(folder: string): Promise<void> {
  await once(spawn("rm", ["-rf", "--one-file-system", folder], { stdio: "ignore" }), "exit");
}
