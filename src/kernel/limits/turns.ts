// Shares the event loop between partners: once the calls of a turn have taken some time, one call of each partner goes on in a
// turn, and a partner with several calls rests as long as a turn took it alone. So it has half of the loop, and what others wait
// for comes in between. A partner alone waits for nothing: a turn for each call costs a tenth of its CPU.
import type { MonotonicClock } from "../environment.ts";

/** Milliseconds of a turn in which calls of a partner follow each other at once, and after which none rests. */
const freeMs = 2;
/** Milliseconds after the last call of another partner from which on one is alone. */
const aloneMs = 1_000;
const maxRestMs = 50;

interface Partner {
  /** Calls that wait: at most those with a slot. */
  readonly waiting: (() => void)[];
  /** Whether a call of it went on in this turn. */
  hasGone: boolean;
  restUntil: number;
}

export class Turns {
  readonly #monotonic: MonotonicClock;
  /** Those whose call went on in this turn, and those that wait or rest. */
  readonly #partners = new Map<string, Partner>();
  /** Calls in progress, by partner. */
  readonly #calls = new Map<string, number>();
  /** When this turn began. */
  #since = 0;
  /** Ends the rest while there is nobody else: there are no turns meanwhile. */
  #rest: NodeJS.Timeout | undefined;
  /** Whose call was the last one, and when it came after one of another partner. */
  #last = { partner: "", since: Number.NEGATIVE_INFINITY };

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic;
  }

  /** Counts a call of the partner as in progress until it is disposed of. */
  begin(partner: string): Disposable {
    this.#calls.set(partner, (this.#calls.get(partner) ?? 0) + 1);
    return {
      [Symbol.dispose]: () => {
        const others = (this.#calls.get(partner) ?? 1) - 1;
        if (others === 0) this.#calls.delete(partner);
        else this.#calls.set(partner, others);
      },
    };
  }

  /** Resolves when a call of the partner may go on; undefined: at once. */
  take(partner: string): undefined | Promise<void> {
    const now = this.#monotonic();
    if (partner !== this.#last.partner) this.#last = { partner, since: now };
    const state = this.#partners.get(partner);
    if (state === undefined) {
      if (now - this.#last.since > aloneMs) return undefined;
      if (this.#partners.size === 0 || this.#rest !== undefined) this.#start(now);
      this.#partners.set(partner, { waiting: [], hasGone: true, restUntil: 0 });
      return undefined;
    }
    const isResting = this.#isResting(partner, state, now);
    const isFree = state.hasGone ? now - this.#since < freeMs : !isResting;
    if (state.waiting.length === 0 && isFree) {
      state.hasGone = true;
      return undefined;
    }
    if (!isResting && this.#rest !== undefined) this.#start(now);
    return new Promise((resolve) => state.waiting.push(resolve));
  }

  #isResting(partner: string, { restUntil }: Partner, now: number): boolean {
    return restUntil > now && (this.#calls.get(partner) ?? 0) > 1;
  }

  #start(now: number): void {
    clearTimeout(this.#rest);
    this.#rest = undefined;
    this.#since = now;
    setImmediate(() => this.#next());
  }

  #next(): void {
    const now = this.#monotonic();
    const tookMs = Math.min(now - this.#since, maxRestMs);
    const gone = [...this.#partners].filter(([name, { hasGone }]) => hasGone && (this.#calls.get(name) ?? 0) > 1);
    let [isGoing, restEnds] = [false, now + maxRestMs];
    // Whoever takes turns with others rests meanwhile.
    for (const [, state] of tookMs < freeMs ? [] : gone) state.restUntil = now - tookMs + (2 * tookMs) / gone.length;
    for (const [name, state] of this.#partners) {
      state.hasGone = false;
      if (this.#isResting(name, state, now)) {
        restEnds = Math.min(restEnds, state.restUntil);
        continue;
      }
      const resolve = state.waiting.shift();
      if (resolve === undefined) this.#partners.delete(name);
      else resolve();
      state.hasGone = true;
      isGoing ||= resolve !== undefined;
    }
    if (isGoing) this.#start(now);
    else if (this.#partners.size > 0) this.#rest = setTimeout(() => this.#start(this.#monotonic()), restEnds - now);
  }
}
