// Counts what a network sends in place of tokens, links and credentials: texts that fail their checksum. Nothing that was
// issued is refused for it, so that people behind one address never lock each other out.
import { LRUCache } from "lru-cache";
import { isWellFormedSecret, type SecretKind } from "../../domain/identity/secrets.ts";
import { type Caller, toNetworkCaller } from "../../kernel/calls/core.ts";
import type { MonotonicClock } from "../../kernel/environment.ts";
import { type Quota, RateLimit } from "../../limits/rate-limit.ts";

const maxValidTokens = 20_000;

export class UnauthenticatedLimit {
  readonly #madeUp: RateLimit;
  /** Tokens that have opened something. */
  readonly #validTokens = new LRUCache<string, true>({ max: maxValidTokens });

  constructor(quota: Quota, now: MonotonicClock) {
    this.#madeUp = new RateLimit(quota, now);
  }

  /** Whether a text is no token of its kind; if so, it is counted. Throws `rate_limited` if there were too many. */
  countIfMadeUp(address: string, kind: SecretKind, text = ""): boolean {
    if (isWellFormedSecret(kind, text)) return false;
    this.countMadeUp(address);
    return true;
  }

  /** Counts a text that opens nothing. Throws `rate_limited` if there were too many. */
  countMadeUp(address: string): void {
    this.#madeUp.consume(toNetworkCaller(address).client);
  }

  /** Marks a token as one that has opened something. */
  markValid(token: string): void {
    this.#validTokens.set(token, true);
  }

  /** The limit key for looking up a token: its network. A token that was valid before counts as a client of its own, which gets turns. */
  toCaller(address: string, token: string | undefined): Caller {
    const network = toNetworkCaller(address);
    return token !== undefined && this.#validTokens.has(token) ? { ...network, client: token } : network;
  }
}
