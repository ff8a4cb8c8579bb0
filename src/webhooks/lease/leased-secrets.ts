// The secrets that deliveries of a lease are signed with.
import type { SealedSecret, SecretSealer } from "../../domain/webhooks/sealed-secrets.ts";

interface OpenSecret {
  readonly secret: Uint8Array;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

export class LeasedSecrets {
  #live: readonly OpenSecret[];
  /** The same list as long as none ends: whoever signs keeps keys by it. */
  #secrets: readonly Uint8Array[];

  /** Those that no key opens are left out. */
  constructor(sealed: readonly SealedSecret[], sealer: SecretSealer) {
    this.#live = sealed.flatMap((each) => {
      const secret = sealer.open(each);
      return secret === undefined ? [] : [{ secret, endsAt: each.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY }];
    });
    this.#secrets = this.#live.map(({ secret }) => secret);
  }

  /** Those that have not ended, the latest first. @param now milliseconds since 1970, never less than before */
  at(now: number): readonly Uint8Array[] {
    if (this.#live.some(({ endsAt }) => endsAt <= now)) {
      this.#live = this.#live.filter(({ endsAt }) => endsAt > now);
      this.#secrets = this.#live.map(({ secret }) => secret);
    }
    return this.#secrets;
  }
}
