// What the harness asks of the system: memory, and whether something has become true.
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";

const pollMs = 20;

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

/**
 * Resolves with the first answer that is not undefined. A question that throws is asked again.
 * Rejects, saying what was waited for, after a time in which it should long have come about.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  limitMs = 300_000,
): Promise<T> {
  const deadline = performance.now() + limitMs;
  let trouble: unknown;
  while (performance.now() < deadline) {
    try {
      const answer = await ask();
      if (answer !== undefined) return answer;
    } catch (error) {
      trouble = error;
    }
    await pause(pollMs);
  }
  throw new Error(`waited in vain for ${what}`, { cause: trouble });
}
