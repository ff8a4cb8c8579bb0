// Shares the event loop between partners: once the calls of a turn have taken some time, one call of each partner goes on in a
// turn. What others wait for comes after one call of a partner, however many it makes. A partner alone waits for nothing: a turn
// for each call costs a tenth of its CPU.
import type { MonotonicClock } from "../environment.ts";

/** Milliseconds of a turn in which calls of a partner follow each other at once. */
const freeMs = 2;
/** Milliseconds after the last call of another partner from which on one is alone. */
const aloneMs = 1_000;

export class Turns {
  readonly #monotonic: MonotonicClock;
  /** Calls that wait, by partner; a partner is here from its first call of a turn until none waits. At most those with a slot. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** When this turn began. */
  #since = 0;
  /** Whose call was the last one, and when it came after one of another partner. */
  #last = { partner: "", since: Number.NEGATIVE_INFINITY };

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic;
  }

  /** Resolves when a call of the partner may go on; undefined: at once. */
  take(partner: string): undefined | Promise<void> {
    const now = this.#monotonic();
    if (partner !== this.#last.partner) this.#last = { partner, since: now };
    const waiting = this.#waiting.get(partner);
    if (waiting === undefined) {
      if (now - this.#last.since > aloneMs) return undefined;
      if (this.#waiting.size === 0) this.#begin(now);
      this.#waiting.set(partner, []);
      return undefined;
    }
    if (waiting.length === 0 && now - this.#since < freeMs) return undefined;
    return new Promise((resolve) => waiting.push(resolve));
  }

  #begin(now: number): void {
    this.#since = now;
    setImmediate(() => this.#next());
  }

  #next(): void {
    for (const [partner, waiting] of this.#waiting) {
      const resolve = waiting.shift();
      if (resolve === undefined) this.#waiting.delete(partner);
      else resolve();
    }
    if (this.#waiting.size > 0) this.#begin(this.#monotonic());
  }
}
