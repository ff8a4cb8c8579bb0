// Request limits of this process: for each client, each hosted session, each network whose tokens are refused, and for
// token requests.

import type { QuotaState } from "../../kernel/calls/core.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";

/** Of each limit the windows of so many keys are kept; the one that ends first is forgotten first. */
const maxKeys = 20_000;

/** Requests allowed in a window. */
export interface Quota {
  /** 0: no limit. */
  readonly requests: number;
  readonly seconds: number;
}

interface Window {
  used: number;
  readonly endsAt: number;
}

/** One limit, counted for each key in windows that begin with the key's first request. */
export class RateLimit {
  readonly #quota: Quota;
  readonly #now: () => number;
  /** Those that end first are in front, since all are of one length. */
  readonly #windows = new Map<string, Window>();
  readonly #refusals = new Map<number, Refusal>();

  /** @param now seconds of a monotonic clock */
  constructor(quota: Quota, now: () => number) {
    this.#quota = quota;
    this.#now = now;
  }

  /** Counts a request; undefined without a limit. Throws `rate_limited` if the limit is used up. */
  consume(key: string): QuotaState | undefined {
    const { requests, seconds } = this.#quota;
    if (requests === 0) return undefined;
    const now = this.#now();
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { used: 0, endsAt: now + seconds };
      this.#begin(key, window);
    }
    window.used += 1;
    if (window.used > requests) throw this.#tooMany(window.endsAt - now);
    const reset = Math.ceil(window.endsAt - now);
    return { limit: requests, remaining: requests - window.used, reset, window: seconds };
  }

  /** Throws `rate_limited` if the limit is used up; counts nothing. */
  check(key: string): void {
    const { requests } = this.#quota;
    if (requests === 0) return;
    const now = this.#now();
    const window = this.#windows.get(key);
    if (window !== undefined && window.endsAt > now && window.used >= requests)
      throw this.#tooMany(window.endsAt - now);
  }

  #begin(key: string, window: Window): void {
    this.#windows.delete(key);
    const [first] = this.#windows.keys();
    if (first !== undefined && this.#windows.size >= maxKeys) this.#windows.delete(first);
    this.#windows.set(key, window);
  }

  /** The same object for the same time, since a flood causes many of them: there are as many as a window has seconds. */
  #tooMany(seconds: number): Refusal {
    const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
    const known = this.#refusals.get(retryAfterSeconds);
    if (known !== undefined) return known;
    const { requests, seconds: length } = this.#quota;
    const facts = { limit: String(requests), window: String(length) };
    const made = new Refusal("rate_limited", details.rate_limited, { retryAfterSeconds, facts });
    this.#refusals.set(retryAfterSeconds, made);
    return made;
  }
}

export interface RateLimits {
  /** By client id. */
  readonly clients: RateLimit;
  /** By network; counts refused tokens. */
  readonly addresses: RateLimit;
  /** By client id and network. */
  readonly tokenRequests: RateLimit;
  /** By hosted session. */
  readonly hostedSessions: RateLimit;
}
