// Keeps a flood of refusals from taking the time of what was let in: a few for each turn of the event loop, and so many
// a second.
import type { MonotonicClock } from "../../kernel/environment.ts";

const perTurn = 8;
/**
 * At some 60 µs each they take a sixteenth of a processor, and with what they displace in its caches twice as much. A
 * client that waits for its refusal sends nothing new.
 */
const perSecond = 1_000;
/** What may follow at once after a time without refusals. */
const burst = 100;
/** Those beyond do not wait: waiting takes memory as well. */
const maxWaiting = 4096;
const pauseMs = (perTurn / perSecond) * 1000;

export class RefusalPacing {
  readonly #now: MonotonicClock;
  #waiting: (() => void)[] = [];
  #allowed = burst;
  #countedAt: number;

  constructor(now: MonotonicClock) {
    this.#now = now;
    this.#countedAt = now();
  }

  /** Resolves when it is the refusal's turn: at once while there are few of them. */
  async next(): Promise<void> {
    if (this.#waiting.length >= maxWaiting) return;
    await new Promise<void>((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(() => this.#run());
    });
  }

  #run(): void {
    const now = this.#now();
    this.#allowed = Math.min(burst, this.#allowed + ((now - this.#countedAt) / 1000) * perSecond);
    this.#countedAt = now;
    const resolves = this.#waiting.splice(0, Math.min(perTurn, Math.floor(this.#allowed)));
    this.#allowed -= resolves.length;
    if (this.#waiting.length > 0) {
      if (this.#allowed >= 1) setImmediate(() => this.#run());
      else setTimeout(() => this.#run(), pauseMs);
    }
    for (const resolve of resolves) resolve();
  }
}
