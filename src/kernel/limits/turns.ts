// Partners and networks take turns with refusals, with connections whose headers are costly, and with the event loop: those of one
// go on one after the other, with a pause in between, and no other one waits for them.
import type { MonotonicClock } from "../environment.ts";

export class Turns {
  readonly #pause: (partner: string, end: () => void) => void;
  readonly #maxWaiting: number;
  /** What waits, of those whose call has gone on and whose pause is not over. Connections limit how many there are. */
  readonly #waiting = new Map<string, (() => void)[]>();

  /**
   * @param pause calls its second argument when the pause of the partner is over
   * @param maxWaiting calls of a partner that may wait; others go on at once
   */
  constructor(pause: (partner: string, end: () => void) => void, maxWaiting: number) {
    this.#pause = pause;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Resolves when a call of the partner may go on; undefined: at once.
   * @param isFree whether it may go on in the pause if no other one of the partner waits
   */
  take(partner: string, isFree = false): undefined | Promise<void> {
    const waiting = this.#waiting.get(partner);
    if (waiting === undefined) {
      this.#begin(partner, []);
      return undefined;
    }
    if (waiting.length >= this.#maxWaiting || (isFree && waiting.length === 0)) return undefined;
    return new Promise((resolve) => waiting.push(resolve));
  }

  #begin(partner: string, waiting: (() => void)[]): void {
    this.#waiting.set(partner, waiting);
    this.#pause(partner, () => {
      const next = waiting.shift();
      if (next === undefined) return void this.#waiting.delete(partner);
      this.#begin(partner, waiting);
      next();
    });
  }
}

/** Milliseconds of an iteration in which calls of a partner follow each other at once, and after which none pauses. */
const freeMs = 2;
/** Milliseconds after the last call of another partner from which on one is alone. */
const aloneMs = 1_000;
const maxPauseMs = 50;

/**
 * Shares the event loop between partners: once the calls of an iteration have taken some time, one call of each partner goes on
 * in an iteration, and the only partner with several calls pauses as long as it took. So it has half of the loop, and what others
 * wait for comes in between. A partner alone waits for nothing: an iteration for each call costs a tenth of its CPU.
 */
export class EventLoop {
  readonly #monotonic: MonotonicClock;
  /** At most calls with a slot wait. */
  readonly #turns = new Turns((partner, end) => this.#pause(partner, end), Number.POSITIVE_INFINITY);
  /** Calls in progress, by partner. Slots say less: a call leaves its slot before it is over, and some wait for other ones. */
  readonly #calls = new Map<string, number>();
  /** Of partners whose call goes on in this iteration: what ends their pauses. */
  #pauses = new Map<string, () => void>();
  /** When the first of them went on. */
  #since = 0;
  /** Whose call was the last one, and when it came after one of another partner. */
  #last = { partner: "", since: Number.NEGATIVE_INFINITY };

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic;
  }

  /** Counts a call of the partner as in progress until it is disposed of. */
  begin(partner: string): Disposable {
    this.#calls.set(partner, this.#countCalls(partner) + 1);
    return {
      [Symbol.dispose]: () => {
        const others = this.#countCalls(partner) - 1;
        if (others === 0) this.#calls.delete(partner);
        else this.#calls.set(partner, others);
      },
    };
  }

  /** Resolves when a call of the partner may go on; undefined: at once. */
  take(partner: string): undefined | Promise<void> {
    const now = this.#monotonic();
    if (partner !== this.#last.partner) this.#last = { partner, since: now };
    if (now - this.#last.since > aloneMs) return undefined;
    return this.#turns.take(partner, this.#pauses.has(partner) && now - this.#since < freeMs);
  }

  #countCalls(partner: string): number {
    return this.#calls.get(partner) ?? 0;
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
    const busy = tookMs < freeMs ? [] : [...pauses.keys()].filter((partner) => this.#countCalls(partner) > 1);
    const pausing = busy.length === 1 ? busy[0] : undefined;
    for (const [partner, end] of pauses) {
      // Whatever came meanwhile is read first.
      if (partner === pausing) setTimeout(() => setImmediate(end), Math.min(tookMs, maxPauseMs));
      else end();
    }
  }
}
