// Turns of long work: it is done piece by piece, and gives way to calls in between.
import { setImmediate as nextTurn, setTimeout } from "node:timers/promises";

/** Sessions of an export that are worked on at a time: a fraction of a millisecond. */
export const sessionsATurn = 4;
/** Many times as long as a piece takes, so that calls have nearly all of the time while there are any. */
const pauseMs = 8;

/**
 * Gives what long work waits for between two pieces: whatever is waiting has its turn, and while others are being served
 * they have several.
 * @param isServing whether others are being served right now
 */
export function turnsBeside(
  isServing: () => boolean,
  pause: (milliseconds: number) => Promise<unknown> = setTimeout,
): () => Promise<void> {
  return async () => {
    await nextTurn();
    if (isServing()) await pause(pauseMs);
  };
}
