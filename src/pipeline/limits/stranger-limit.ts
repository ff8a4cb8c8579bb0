// Limits how many tokens, links and credentials that open nothing a network may try. A token that has opened something is
// counted by itself from then on, also after it expires: the pupils of a school share one address, and none of them is
// locked out for what another one sends.
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

  /** Throws `rate_limited` if too many were refused. @param token that is about to be looked up */
  check(address: string, token?: string): void {
    this.#refused.check(this.callerOf(address, token).client);
  }

  /** Notes that a token has opened something. */
  prove(token: string): void {
    this.#proven.set(token, true);
  }

  /** Counts a refusal. Throws `rate_limited` if there were too many. */
  refuse(address: string, token?: string): void {
    this.#refused.consume(this.callerOf(address, token).client);
  }

  /** The key of a token's sender: its network, or the token itself if it has opened something. */
  callerOf(address: string, token: string | undefined): Caller {
    const stranger = strangerAt(address);
    return token !== undefined && this.#proven.has(token) ? { ...stranger, client: token } : stranger;
  }
}
