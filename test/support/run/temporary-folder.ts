// Where tests put their databases, browser profiles and files.
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** Where Linux keeps files in memory. */
const memory = "/dev/shm";
/** The databases of three workers and of the processes that they start take about 2 GiB. */
const roomBytes = 6 * 2 ** 30;

/**
 * A folder in memory if it has room, so that no test waits for a disk; else the folder that TMPDIR names or the system
 * has. What ends a process loses nothing in memory either; only a crash of the machine would, and nobody misses that.
 */
export function temporaryFolder(): string {
  if (process.env.TMPDIR) return process.env.TMPDIR;
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= roomBytes ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}
