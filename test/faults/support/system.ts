// What the harness asks of the system: memory, processors, and whether something has become true.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";

const pollMs = 20;

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

/** Lets all threads of a process run on one processor alone, where there are several. @param processor from 0 */
export function pin(pid: number, processor: number): void {
  if (availableParallelism() > processor) execFileSync("taskset", ["-acp", `${processor}`, `${pid}`]);
}

/**
 * Resolves with the first answer that is not undefined. A question that throws is asked again.
 * Rejects, saying what was waited for, after a time in which it should long have come about.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined> | T | undefined,
  limitMs = 90_000,
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
