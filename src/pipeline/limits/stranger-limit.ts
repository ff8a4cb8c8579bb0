// How much of what strangers send may open nothing: tokens, links and credentials that are tried out. It counts by network.
// A token that has opened something counts for itself from then on, also when it is over: behind one address are a
// school's pupils, and none of them is kept out for what another one sends.
import { LRUCache } from "lru-cache";
import type { MonotonicClock } from "../../kernel/environment.ts";
import { type Caller, strangerAt } from "../../kernel/limits/caller.ts";
import { type Quota, RateLimit } from "../../kernel/limits/rate-limit.ts";

const maxProven = 20_000;

export class StrangerLimit {
  readonly #refused: RateLimit;
  /** Tokens that have opened something. */
  readonly #proven = new LRUCache<string, true>({ max: maxProven });

  constructor(quota: Quota, now: MonotonicClock) {
    this.#refused = new RateLimit(quota, now);
  }

  /** Throws `rate_limited` if too much was refused. @param token that is about to be looked up */
  check(address: string, token?: string): void {
    this.#refused.check(this.callerOf(address, token).client);
  }

  /** Notes that a token has opened something. */
  prove(token: string): void {
    this.#proven.set(token, true);
  }

  /** Counts what was refused. Throws `rate_limited` if it was too much. */
  refuse(address: string, token?: string): void {
    this.#refused.consume(this.callerOf(address, token).client);
  }

  /** Whoever sends a token that is about to be looked up: a network, or one of those behind it. */
  callerOf(address: string, token: string | undefined): Caller {
    const stranger = strangerAt(address);
    return token !== undefined && this.#proven.has(token) ? { ...stranger, client: token } : stranger;
  }
}
