// Request limits of this process: for each client, each hosted session, each address whose tokens are refused, and for
// token requests.
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { DomainError } from "../domain/errors.ts";

/** Requests allowed in a window. */
export interface Quota {
  /** 0: no limit. */
  readonly requests: number;
  readonly seconds: number;
}

/** State of a limit after a request. */
export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
  /** Length of the window in seconds. */
  readonly window: number;
}

/** One limit, counted for each key. */
export class RateLimit {
  readonly #quota: Quota;
  readonly #limiter: RateLimiterMemory | undefined;

  constructor(quota: Quota) {
    this.#quota = quota;
    if (quota.requests > 0) {
      this.#limiter = new RateLimiterMemory({ points: quota.requests, duration: quota.seconds });
    }
  }

  /** Counts a request; undefined without a limit. Throws `rate_limited` where the limit is used up. */
  async consume(key: string): Promise<QuotaState | undefined> {
    if (this.#limiter === undefined) return undefined;
    try {
      return this.#state(await this.#limiter.consume(key));
    } catch (error) {
      throw error instanceof RateLimiterRes ? this.#tooMany(error) : error;
    }
  }

  /** Throws `rate_limited` where the limit is used up; counts nothing. */
  async check(key: string): Promise<void> {
    const state = await this.#limiter?.get(key);
    if (state != null && state.consumedPoints >= this.#quota.requests) throw this.#tooMany(state);
  }

  #state(result: RateLimiterRes): QuotaState {
    const { requests, seconds } = this.#quota;
    const reset = Math.ceil(result.msBeforeNext / 1000);
    return { limit: requests, remaining: result.remainingPoints, reset, window: seconds };
  }

  #tooMany(result: RateLimiterRes): DomainError {
    const retryAfterSeconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
    const facts = { limit: String(this.#quota.requests), window: String(this.#quota.seconds) };
    return new DomainError("rate_limited", "The rate limit is used up.", { retryAfterSeconds, facts });
  }
}

export interface RateLimits {
  /** By client id. */
  readonly clients: RateLimit;
  /** By address; counts refused tokens. */
  readonly addresses: RateLimit;
  /** By client id and address. */
  readonly tokenRequests: RateLimit;
  /** By hosted session. */
  readonly hostedSessions: RateLimit;
}
