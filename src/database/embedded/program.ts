// The server program: MariaDB, found on this machine or unpacked into the data folder.
import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

const packageName = "mariadb-server-core";
const maxOutputBytes = 64 << 20;

/** Servers are in sbin folders, which an ordinary user's PATH omits, or in the folder of a package manager. */
const moreFolders = "/usr/local/sbin:/usr/sbin:/usr/local/bin:/usr/bin:/usr/local/mysql/bin:/opt/homebrew/bin";

/** First options of every call: no settings files of this machine, and the user that it requires to run as root. */
export const baseOptions = ["--no-defaults", ...(process.getuid?.() === 0 ? ["--user=root"] : [])];

/**
 * The absolute path of `mariadbd`: the one unpacked into this folder, else the one of this machine. If there is none,
 * Debian's package is downloaded and unpacked into the folder, which needs no root; nothing is installed. Without apt the
 * error says in one line what to install. One caller at a time.
 */
export async function provideServerProgram(dataDir: string, log: (line: string) => void): Promise<string> {
  const folder = join(dataDir, "mariadb");
  const present = await findProgram("mariadbd", folder);
  if (present !== undefined) return present;
  if ((await findProgram("apt-get", folder)) === undefined) {
    throw new Error(
      "there is no MariaDB on this machine: install it (macOS: brew install mariadb) or set DATABASE_URL",
    );
  }
  log(`there is no MariaDB on this machine: ${packageName} is unpacked into ${folder}, once`);
  try {
    await unpack(folder);
  } catch (error) {
    const lines = error instanceof Error && "stderr" in error ? String(error.stderr).trim().split("\n") : [];
    const reason = lines.at(-1) || String(error);
    throw new Error(`${packageName} cannot be downloaded (${reason}): install MariaDB or set DATABASE_URL`);
  }
  return join(folder, "mariadbd");
}

/** The folder of the server's files, as the server reports it. */
export async function findSharedFiles(program: string): Promise<string> {
  const { stdout } = await execute(program, [...baseOptions, "--verbose", "--help"], { maxBuffer: maxOutputBytes });
  const charsets = /^character-sets-dir\s+(\S.*)$/m.exec(stdout)?.[1];
  if (charsets === undefined) throw new Error(`${program} does not say where its files are`);
  return dirname(charsets.trim());
}

/** The absolute path of a program in this folder, on PATH or in a usual folder. */
async function findProgram(name: string, folder: string): Promise<string | undefined> {
  const script = 'PATH="$1:$PATH:$2"; command -v "$3"; exit 0';
  const { stdout } = await execute("sh", ["-c", script, "sh", folder, moreFolders, name]);
  return stdout.trim() || undefined;
}

/** Downloads the package and its dependencies that are not installed; unpacks them under another name, then renames. */
async function unpack(folder: string): Promise<void> {
  const root = `${folder}.partial`;
  const [lists, cache] = [join(root, "lists"), join(root, "cache")];
  await rm(root, { recursive: true, force: true });
  await mkdir(join(lists, "partial"), { recursive: true, mode: 0o700 });
  await mkdir(join(cache, "archives/partial"), { recursive: true });
  // apt with folders of our own needs no lock and no root.
  const own = [`Dir::State::Lists=${lists}`, `Dir::Cache=${cache}`, "Debug::NoLocking=true", "APT::Sandbox::User=root"];
  const runAptGet = (...args: string[]) =>
    execute("apt-get", ["-q", "-y", ...own.flatMap((option) => ["-o", option]), ...args], {
      maxBuffer: maxOutputBytes,
    });
  await runAptGet("update");
  await runAptGet("install", "--download-only", "--no-install-recommends", packageName);
  for (const archive of globSync(join(cache, "archives/*.deb")))
    await execute("dpkg-deb", ["--extract", archive, root]);
  const libraries = globSync("{,usr/}lib/*-linux-gnu*", { cwd: root }).map((path) => `$root/${path}`);
  const script = `#!/bin/sh
root=\${0%/*}
LD_LIBRARY_PATH=${libraries.join(":")} exec "$root/usr/sbin/mariadbd" "$@" --basedir="$root/usr"
`;
  await writeFile(join(root, "mariadbd"), script, { mode: 0o700 });
  await execute(join(root, "mariadbd"), ["--no-defaults", "--version"]);
  await rm(lists, { recursive: true });
  await rm(cache, { recursive: true });
  await rename(root, folder);
}
