// Long work is done piece by piece, and yields to calls after each piece.
import { setImmediate, setTimeout } from "node:timers/promises";

/** Sessions of an export that are worked on at a time: a fraction of a millisecond. */
export const sessionsAPiece = 4;
/** Many times as long as a piece takes, so that calls have nearly all of the time while there are any. */
const pauseMs = 8;

/**
 * A function for long work to await between two pieces: it yields to whatever waits for the event loop, and for longer
 * while calls are being served.
 * @param isServing whether others are being served right now
 */
export function yielding(
  isServing: () => boolean,
  pause: (milliseconds: number) => Promise<unknown> = setTimeout,
): () => Promise<void> {
  return async () => {
    await setImmediate();
    if (isServing()) await pause(pauseMs);
  };
}
