// Waiting for what a test needs.
import { setTimeout as pause } from "node:timers/promises";

/**
 * Resolves with the first answer that is neither undefined nor false. A question that throws is asked again. Rejects
 * with the question after a time in which it comes about on a machine with a tenth of its speed.
 */
export async function until<T>(
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  limitMs = 300_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  let cause: unknown;
  while (performance.now() < end) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      cause = error;
    }
    await pause(20);
  }
  throw new Error(`waited in vain: ${ask}`, { cause });
}
