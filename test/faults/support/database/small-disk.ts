// A disk that can be filled up without harm to this machine: in memory, mounted for one test.
import { execFile } from "node:child_process";
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Mounting takes the rights of root; without them there is none. */
export async function makeSmallDisk(megabytes: number) {
  const folder = await mkdtemp(join(tmpdir(), "pas-small-disk-"));
  const ballast = join(folder, "ballast");
  try {
    await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=700`, "none", folder]);
  } catch {
    await rm(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    /** Leaves no room on it. */
    async fill() {
      const { bavail, bsize } = await statfs(folder);
      await writeFile(ballast, Buffer.alloc((bavail + 1) * bsize)).catch(expectFull);
    },
    async remove() {
      await run("umount", [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

function expectFull(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOSPC") throw error;
}
