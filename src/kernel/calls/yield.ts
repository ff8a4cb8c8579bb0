// Long work is done in pieces, and lets calls run after each piece.
import { setImmediate, setTimeout } from "node:timers/promises";

/** Sessions of an export in one piece: a fraction of a millisecond. */
export const sessionsPerBatch = 4;
/** Many times as long as a piece takes, so that calls get nearly all of the processor. */
const pauseMs = 8;

/**
 * A function to await between two pieces of long work: it lets the event loop run, and waits longer while calls are being
 * served.
 * @param isServing whether calls are being served right now
 */
export function createYield(
  isServing: () => boolean,
  pause: (milliseconds: number) => Promise<unknown> = setTimeout,
): () => Promise<void> {
  return async () => {
    await setImmediate();
    if (isServing()) await pause(pauseMs);
  };
}
