// Locks on files, for several processes: those of SQLite. The system releases them when a process ends, however it ends,
// and also when it closes the file in any other way: nobody else opens it.
import { chmodSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";

const pollMs = 25;
/** Longer than a first start with the download of the server. */
const waitMs = 300_000;
/** SQLITE_BUSY: another process has the lock. */
const busy = 5;

const statements = { exclusive: "BEGIN EXCLUSIVE", shared: "BEGIN; SELECT * FROM sqlite_schema" };

/** Takes the lock at a path. @returns a function that releases it; undefined if another process has it */
export function tryLock(path: string, kind: keyof typeof statements): (() => void) | undefined {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = new DatabaseSync(path);
  try {
    chmodSync(path, 0o600);
    file.exec(statements[kind]);
    return () => file.close();
  } catch (error) {
    file.close();
    if (error instanceof Error && "errcode" in error && error.errcode === busy) return undefined;
    throw error;
  }
}

/**
 * Runs work under the lock at a path, alone among all processes and calls. Throws after waiting for five minutes.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const release = tryLock(path, "exclusive");
    if (release !== undefined) return work().finally(release);
    if (performance.now() > deadline) throw new Error(`another process has held the lock ${path} for five minutes`);
    await delay(pollMs);
  }
}
