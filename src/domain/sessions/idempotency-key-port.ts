// The part of the Store port that ends idempotency keys.
import type { TrustedTime } from "../trusted-clock.ts";

/** A position among the keys that the release before has left in sessions. */
export interface KeyPosition {
  readonly partnerId: string;
  readonly key: string;
}

/** What became of a page of such keys. */
export interface CopiedKeys {
  readonly copied: number;
  /** Their time was over. */
  readonly ended: number;
  /** Where the next page begins; undefined: there is none. */
  readonly next: KeyPosition | undefined;
}

export interface IdempotencyKeyStore {
  /**
   * Frees a key whose time is over, or whose session is gone. Any other one stays.
   * @param now null: it is in doubt, and so no time is over
   */
  freeKey(partnerId: string, key: string, now: TrustedTime | null, signal: AbortSignal): Promise<void>;
  /** Removes at most `limit` keys whose time is over. @returns how many it found */
  deleteExpiredKeys(limit: number, now: TrustedTime, signal: AbortSignal): Promise<number>;
  /** How many keys are to be removed now. */
  countExpiredKeys(now: TrustedTime, signal: AbortSignal): Promise<number>;
  /**
   * Gives keys an end that releases before have stored without one: so many days after their session was created. It
   * may be repeated. @param after undefined: from the beginning. @param limit most keys that are looked at
   */
  copyKeys(
    after: KeyPosition | undefined,
    keptDays: number,
    limit: number,
    now: TrustedTime,
    signal: AbortSignal,
  ): Promise<CopiedKeys>;
}
