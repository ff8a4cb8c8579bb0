// Shares the event loop between partners: once the calls of an iteration have taken some time, one call of each partner goes on
// in an iteration, and the only partner with several calls pauses as long as it took. So it has half of the loop, and what others
// wait for comes in between. A partner alone waits for nothing: an iteration for each call costs a tenth of its CPU.
import type { MonotonicClock } from "../environment.ts";
import { Turns } from "./turns.ts";

/** Milliseconds of an iteration in which calls of a partner follow each other at once, and after which none pauses. */
const freeMs = 2;
/** Milliseconds after the last call of another partner from which on one is alone. */
const aloneMs = 1_000;
const maxPauseMs = 50;

export class EventLoop {
  readonly #monotonic: MonotonicClock;
  readonly #hasSeveralCalls: (partner: string) => boolean;
  /** At most calls with a slot wait. */
  readonly #turns = new Turns((partner, end) => this.#pause(partner, end), Number.POSITIVE_INFINITY);
  /** Of partners whose call goes on in this iteration: what ends their pauses. */
  #pauses = new Map<string, () => void>();
  /** When the first of them went on. */
  #since = 0;
  /** Whose call was the last one, and when it came after one of another partner. */
  #last = { partner: "", since: Number.NEGATIVE_INFINITY };

  /** @param hasSeveralCalls whether several calls of a partner are in progress */
  constructor(monotonic: MonotonicClock, hasSeveralCalls: (partner: string) => boolean) {
    this.#monotonic = monotonic;
    this.#hasSeveralCalls = hasSeveralCalls;
  }

  /** Resolves when a call of the partner may go on; undefined: at once. */
  take(partner: string): undefined | Promise<void> {
    const now = this.#monotonic();
    if (partner !== this.#last.partner) this.#last = { partner, since: now };
    if (now - this.#last.since > aloneMs) return undefined;
    return this.#turns.take(partner, this.#pauses.has(partner) && now - this.#since < freeMs);
  }

  #pause(partner: string, end: () => void): void {
    if (this.#pauses.size === 0) {
      this.#since = this.#monotonic();
      setImmediate(() => this.#endIteration());
    }
    this.#pauses.set(partner, end);
  }

  #endIteration(): void {
    const tookMs = this.#monotonic() - this.#since;
    const pauses = this.#pauses;
    this.#pauses = new Map();
    const busy = tookMs < freeMs ? [] : [...pauses.keys()].filter(this.#hasSeveralCalls);
    const pausing = busy.length === 1 ? busy[0] : undefined;
    for (const [partner, end] of pauses) {
      if (partner === pausing) setTimeout(end, Math.min(tookMs, maxPauseMs));
      else end();
    }
  }
}
