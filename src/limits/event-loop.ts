// Shares the event loop between partners. Once an iteration has taken 2 ms, each partner continues one call per iteration. If
// only one partner has several calls, it pauses after an iteration for as long as it took, so that it gets half of the loop.
// A partner that calls alone never waits: one call per iteration costs a tenth of its CPU.
import type { MonotonicClock } from "../kernel/environment.ts";

/** Milliseconds of an iteration in which calls of a partner follow each other at once; a shorter iteration causes no pause. */
const unthrottledMs = 2;
/** Milliseconds after the last call of another partner; from then on a partner is alone. */
const soloAfterMs = 1_000;
const maxPauseMs = 50;

export class FairLoop {
  readonly #monotonic: MonotonicClock;
  /** Calls in progress, by partner. Slots do not show them: a call releases its slot before it ends. */
  readonly #calls = new Map<string, number>();
  /** Waiting calls, by partner. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Partners that continued a call in this iteration, and when the first of them did. */
  #iteration = new Set<string>();
  #iterationStartedAt = 0;
  /** The partner of the last call, and since when all calls were of that partner. */
  #lastPartner = { partner: "", since: Number.NEGATIVE_INFINITY };

  constructor(monotonic: MonotonicClock) {
    this.#monotonic = monotonic;
  }

  /** A call of the partner begins. */
  begin(partner: string): void {
    this.#calls.set(partner, this.#countCalls(partner) + 1);
  }

  /** A call of the partner is over. */
  end(partner: string): void {
    const others = this.#countCalls(partner) - 1;
    if (others === 0) this.#calls.delete(partner);
    else this.#calls.set(partner, others);
  }

  /** Resolves when a call of the partner may go on; undefined: at once. */
  waitForTurn(partner: string): undefined | Promise<void> {
    const now = this.#monotonic();
    if (partner !== this.#lastPartner.partner) this.#lastPartner = { partner, since: now };
    if (now - this.#lastPartner.since > soloAfterMs) return undefined;
    const waiting = this.#waiting.get(partner);
    if (waiting === undefined) return this.#resumeNext(partner);
    if (waiting.length === 0 && this.#iteration.has(partner) && now - this.#iterationStartedAt < unthrottledMs)
      return undefined;
    return new Promise((resolve) => waiting.push(resolve));
  }

  #countCalls(partner: string): number {
    return this.#calls.get(partner) ?? 0;
  }

  /** The next call of the partner goes on in this iteration. */
  #resumeNext(partner: string, waiting: (() => void)[] = []): undefined {
    if (this.#iteration.size === 0) {
      this.#iterationStartedAt = this.#monotonic();
      setImmediate(() => this.#endIteration());
    }
    this.#iteration.add(partner);
    this.#waiting.set(partner, waiting);
    waiting.shift()?.();
  }

  #endIteration(): void {
    const tookMs = this.#monotonic() - this.#iterationStartedAt;
    const partners = [...this.#iteration];
    this.#iteration = new Set();
    const busy = tookMs < unthrottledMs ? [] : partners.filter((partner) => this.#countCalls(partner) > 1);
    for (const partner of partners) {
      // First the loop reads what arrived in between.
      if (busy.length === 1 && busy[0] === partner) {
        setTimeout(() => setImmediate(() => this.#endPause(partner)), Math.min(tookMs, maxPauseMs));
      } else this.#endPause(partner);
    }
  }

  #endPause(partner: string): void {
    const waiting = this.#waiting.get(partner) ?? [];
    if (waiting.length === 0) this.#waiting.delete(partner);
    else this.#resumeNext(partner, waiting);
  }
}
