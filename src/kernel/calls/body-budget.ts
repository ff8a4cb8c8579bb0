// The bytes of all messages that are still arriving, over every door of a process: without a bound on them, callers that
// send slowly would fill the memory together.
import { Refusal } from "../errors/refusal.ts";

const defaultMaxBytes = 64 << 20;

export class BodyBudget {
  readonly #maxBytes: number;
  #usedBytes = 0;

  /** @param maxBytes most bytes held at a time */
  constructor(maxBytes: number = defaultMaxBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that are held now. */
  get usedBytes(): number {
    return this.#usedBytes;
  }

  /** Takes room for bytes that arrived. Throws `unavailable` if there is none. */
  take(bytes: number): void {
    if (this.#usedBytes + bytes > this.#maxBytes) {
      throw new Refusal("unavailable", "Too many messages are arriving at once. Send this one again.", {
        retryAfterSeconds: 1,
      });
    }
    this.#usedBytes += bytes;
  }

  /** Gives the room back. */
  giveBack(bytes: number): void {
    this.#usedBytes -= bytes;
  }
}
