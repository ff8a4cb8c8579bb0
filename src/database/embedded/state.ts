// The content of a data folder, and `embedded.json`, which names the running server and the processes that use it.
import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isRunning, isSame, type ProcessRef } from "./process.ts";

/** Absolute paths in one data folder. */
export interface EmbeddedPaths {
  readonly dataDir: string;
  /** The server's own folder: only its user may enter, since whoever reaches the socket in it is the administrator. */
  readonly serverDir: string;
  /** For this server alone: at its start MariaDB deletes the temporary tables of others in the same folder. */
  readonly tmpDir: string;
  readonly record: string;
  readonly lock: string;
  readonly log: string;
}

/** The content of `embedded.json`. Pid and start are those of the server. */
export interface ServerRecord extends ProcessRef {
  readonly socketPath: string;
  /** The folder that it serves: a copied data folder has a record that is not about the copy. */
  readonly serverDir: string;
  /** Processes that started or joined the server and have not left it; dead ones do not count. */
  readonly users: readonly ProcessRef[];
}

export function embeddedPaths(dataDir: string): EmbeddedPaths {
  const root = resolve(dataDir);
  return {
    dataDir: root,
    serverDir: join(root, "mysql"),
    tmpDir: join(root, "mysql.tmp"),
    record: join(root, "embedded.json"),
    lock: join(root, "embedded.lock"),
    log: join(root, "mysql.log"),
  };
}

/** Undefined if there is no readable record of this folder. */
export function readRecord(paths: EmbeddedPaths): ServerRecord | undefined {
  try {
    const record: ServerRecord = JSON.parse(readFileSync(paths.record, "utf8"));
    return record.serverDir === realpathSync(paths.serverDir) ? record : undefined;
  } catch {
    return undefined;
  }
}

export function writeRecord(paths: EmbeddedPaths, record: ServerRecord): void {
  const partial = `${paths.record}.partial`;
  writeFileSync(partial, `${JSON.stringify(record, undefined, 2)}\n`, { mode: 0o600 });
  renameSync(partial, paths.record);
}

export function removeRecord(paths: EmbeddedPaths): void {
  rmSync(paths.record, { force: true });
}

/** The users that still run. */
export function livingUsers(record: ServerRecord | undefined): ProcessRef[] {
  return (record?.users ?? []).filter(isRunning);
}

/** The list without one entry of `user`, who may be in it several times. */
export function withoutUser(users: readonly ProcessRef[], user: ProcessRef): ProcessRef[] {
  const index = users.findIndex((other) => isSame(other, user));
  return users.filter((_, at) => at !== index);
}
