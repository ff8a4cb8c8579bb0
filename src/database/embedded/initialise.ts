// The first start in a data folder: makes the server's folder with its system tables.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { type EmbeddedPaths, openServerLog } from "./folder.ts";
import { baseOptions, sharedFilesOf } from "./program.ts";

/**
 * Makes the server's folders if they are missing. The data folder is filled under another name and then renamed, so that an
 * interrupted start leaves nothing that looks like a database.
 */
export async function initialiseServerDir(program: string, paths: EmbeddedPaths): Promise<void> {
  await mkdir(paths.tmpDir, { recursive: true, mode: 0o700 });
  if (existsSync(join(paths.serverDir, "mysql"))) return;
  const prefix = `${basename(paths.serverDir)}.partial-`;
  for (const name of await readdir(paths.dataDir)) {
    // The program of an interrupted start may still be writing there; a later start deletes what it writes.
    if (name.startsWith(prefix)) await rm(join(paths.dataDir, name), { recursive: true, force: true }).catch(() => {});
  }
  const folder = await mkdtemp(join(paths.dataDir, prefix));
  await fill(program, folder, paths);
  await rename(folder, paths.serverDir);
}

/** The options for a server that works in this folder. */
export function folderOptions(folder: string, paths: EmbeddedPaths): string[] {
  return [`--datadir=${folder}`, `--tmpdir=${paths.tmpDir}`];
}

async function fill(program: string, folder: string, paths: EmbeddedPaths): Promise<void> {
  const log = openServerLog(paths.log);
  try {
    const statements = await systemTables(program);
    const options = [...baseOptions, ...folderOptions(folder, paths), "--bootstrap", "--log-warnings=0"];
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
async function systemTables(program: string): Promise<string> {
  const folder = await sharedFilesOf(program);
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
