// The programs of the private database server: found on this machine, or installed where that is possible.
import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { aptInstall } from "./apt.ts";

const execute = promisify(execFile);

const packageName = "mariadb-server-core";
const maxOutputBytes = 64 << 20;

/** Servers live in sbin folders, which an ordinary user's PATH leaves out, or in the folder of a package manager. */
const moreFolders = "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/usr/local/mysql/bin:/opt/homebrew/bin";

/** A database server program. */
export interface ServerProgram {
  /** Absolute path of `mariadbd` or `mysqld`. */
  readonly path: string;
  /** What it is by its own word: on many machines `mysqld` is a link to MariaDB. */
  readonly flavour: "mariadb" | "mysql";
  /** Go first in every call: no settings of this machine, and the consent that both ask for before they run as root. */
  readonly baseOptions: readonly string[];
}

/**
 * The server program of this machine. Where there is none, it is installed with apt-get when we run as root on Debian
 * or Ubuntu; anywhere else an error says in one line what to install.
 */
export async function provideServerProgram(log: (line: string) => void): Promise<ServerProgram> {
  const present = await findServerProgram();
  if (present !== undefined) return present;
  const aptGet = isRoot() ? await findProgram("apt-get") : undefined;
  if (aptGet === undefined) {
    throw new Error(
      "there is no database server on this machine: " +
        `install one (Debian, Ubuntu: apt-get install ${packageName}; macOS: brew install mariadb) or set DATABASE_URL`,
    );
  }
  log(`there is no database server on this machine: installing ${packageName} with apt-get`);
  // The failure does not matter if another process has installed it meanwhile.
  const failure = await aptInstall(aptGet, [packageName]).then(
    () => new Error(`the package ${packageName} brings no server`),
    (error: Error) => error,
  );
  const installed = await findServerProgram();
  if (installed === undefined) throw failure;
  return installed;
}

/** The absolute path of the first of these programs that is on PATH or in a usual folder. */
export async function findProgram(...names: readonly string[]): Promise<string | undefined> {
  const script = `PATH="$PATH:${moreFolders}"; for name; do command -v "$name" && exit; done; exit 0`;
  const { stdout } = await execute("sh", ["-c", script, "sh", ...names]);
  return stdout.trim() || undefined;
}

/** The folder of the files that come with a server, by the server's own word. */
export async function sharedFilesOf(program: ServerProgram): Promise<string> {
  const { stdout } = await execute(program.path, [...program.baseOptions, "--verbose", "--help"], {
    maxBuffer: maxOutputBytes,
  });
  const charsets = /^character-sets-dir\s+(\S.*)$/m.exec(stdout)?.[1];
  if (charsets === undefined) throw new Error(`${program.path} does not say where its files are`);
  return dirname(charsets.trim());
}

async function findServerProgram(): Promise<ServerProgram | undefined> {
  const path = await findProgram("mariadbd", "mysqld");
  if (path === undefined) return undefined;
  const { stdout } = await execute(path, ["--no-defaults", "--version"]);
  return {
    path,
    flavour: stdout.includes("MariaDB") ? "mariadb" : "mysql",
    baseOptions: ["--no-defaults", ...(isRoot() ? ["--user=root"] : [])],
  };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
