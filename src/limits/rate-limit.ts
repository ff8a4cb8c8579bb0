// A rate limit: so many times in a window, which begins for each key with its first request.
import type { QuotaState } from "../kernel/calls/core.ts";
import type { MonotonicClock } from "../kernel/environment.ts";
import { details } from "../kernel/errors/details.ts";
import { Refusal } from "../kernel/errors/refusal.ts";

/** Most windows in memory; the one that ends first is dropped first. */
const maxKeys = 20_000;

export interface Quota {
  /** Requests in a window; 0: no limit. */
  readonly requests: number;
  readonly seconds: number;
}

interface Window {
  used: number;
  /** By the monotonic clock. */
  readonly endsAt: number;
}

export class RateLimit {
  readonly #quota: Quota;
  readonly #now: MonotonicClock;
  /** In the order in which they end, since all have the same length. */
  readonly #windows = new Map<string, Window>();

  constructor(quota: Quota, now: MonotonicClock) {
    this.#quota = quota;
    this.#now = now;
  }

  /** Counts a request. @returns whether it was within the limit */
  count(key: string): boolean {
    return this.#count(key).used <= this.#quota.requests;
  }

  /** Counts a request; undefined without a limit. Throws `rate_limited` if the limit is used up. */
  consume(key: string): QuotaState | undefined {
    const { requests, seconds } = this.#quota;
    if (requests === 0) return undefined;
    const { used, endsAt } = this.#count(key);
    const reset = Math.ceil((endsAt - this.#now()) / 1000);
    if (used <= requests) return { limit: requests, remaining: requests - used, reset, window: seconds };
    const metadata = { limit: String(requests), window: String(seconds) };
    throw new Refusal("rate_limited", details.rate_limited, { retryAfterSeconds: Math.max(1, reset), metadata });
  }

  /** Whether the limit is used up; counts nothing. */
  isExhausted(key: string): boolean {
    const window = this.#windows.get(key);
    return window !== undefined && window.endsAt > this.#now() && window.used >= this.#quota.requests;
  }

  #count(key: string): Window {
    const now = this.#now();
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      this.#windows.delete(key);
      const [first] = this.#windows.keys();
      if (first !== undefined && this.#windows.size >= maxKeys) this.#windows.delete(first);
      window = { used: 0, endsAt: now + 1000 * this.#quota.seconds };
      this.#windows.set(key, window);
    }
    window.used += 1;
    return window;
  }
}
