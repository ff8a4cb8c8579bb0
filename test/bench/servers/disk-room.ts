// Room on disk for what a section is about to store.
import { statfs } from "node:fs/promises";
import type { Bench } from "../bench.ts";

/** A session with all its indexes while many are stored: its pages are not full yet, and what was before is not removed. */
const bytesPerSession = 2_000;
/** For logs, and for everybody else on the machine. */
const spareBytes = 2 * 1024 ** 3;

/** Says how much disk so many sessions will take. Throws an Error if the server's folder has less. */
export async function requireRoom({ server, say }: Pick<Bench, "server" | "say">, sessions: number): Promise<void> {
  const needed = sessions * bytesPerSession;
  const { dataFolder } = server;
  if (dataFolder === undefined) {
    say(`  it takes up to ${gigabytes(needed)} of disk on that server, until the end`);
    return;
  }
  const { bavail, bsize } = await statfs(dataFolder);
  say(`  it takes up to ${gigabytes(needed)} of disk until the end; ${gigabytes(bavail * bsize)} are free`);
  if (bavail * bsize < needed + spareBytes) throw new Error(`${dataFolder} has too little room; see --sizes`);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`;
}
