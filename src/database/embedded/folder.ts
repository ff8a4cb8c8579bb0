// The content of a data folder.
import { closeSync, fstatSync, lstatSync, mkdirSync, openSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";

/** Absolute paths in one data folder. */
export interface EmbeddedPaths {
  readonly dataDir: string;
  /** The server's own folder. Only its user may enter: anybody at the socket in it is the administrator. */
  readonly serverDir: string;
  /** For this server alone: at its start MariaDB deletes the temporary tables of others in the same folder. */
  readonly tmpDir: string;
  /** Written by the server when it is ready, and removed when it has shut down. */
  readonly pidFile: string;
  /** Lock of the process that starts or stops the server. */
  readonly lock: string;
  /** Lock that all processes share which use the server. */
  readonly users: string;
  readonly log: string;
}

/** The paths; the folder is made if it is missing. Throws if others may write to it. */
export function resolveEmbeddedPaths(dataDir: string): EmbeddedPaths {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const root = realpathSync(dataDir);
  requireOwnFolder(root);
  const serverDir = join(root, "mysql");
  return {
    dataDir: root,
    serverDir,
    tmpDir: join(root, "mysql.tmp"),
    pidFile: join(serverDir, "server.pid"),
    lock: join(root, "embedded.lock"),
    users: join(root, "embedded.users"),
    log: join(root, "mysql.log"),
  };
}

/** Throws if another user could replace the server. @param open bits that its mode must not have */
export function requireOwnFolder(folder: string, open = 0o022): void {
  const { uid, mode } = lstatSync(folder);
  if (uid === process.getuid?.() && (mode & open) === 0) return;
  throw new Error(
    `${folder} is open to other users, who could take the place of the database; run \`chown $(id -u) ${folder} && chmod 700 ${folder}\`, or set DATA_DIR to another folder`,
  );
}

const tailLines = 10;

/**
 * Opens the log file for the output of one run of a program: earlier runs, a crash for example, stay in it. `tail` returns the last
 * lines of this run.
 */
export function openServerLog(path: string) {
  const fd = openSync(path, "a", 0o600);
  const begin = fstatSync(fd).size;
  return {
    fd,
    close: () => closeSync(fd),
    tail: () => {
      const text = readFileSync(path).subarray(begin).toString();
      return text.trim().split("\n").slice(-tailLines).join("\n");
    },
  };
}
