// The part of the Store port that ends idempotency keys.
import type { TrustedTime } from "../trusted-clock.ts";

export interface IdempotencyKeyStore {
  /**
   * Frees a key whose time is over. Any other one stays.
   * @param now null: it is in doubt, and so no time is over
   */
  freeKey(partnerId: string, key: string, now: TrustedTime | null, signal: AbortSignal): Promise<void>;
  /** Removes at most `limit` keys whose time is over. @returns how many it found */
  deleteExpiredKeys(limit: number, now: TrustedTime, signal: AbortSignal): Promise<number>;
  /** How many keys are to be removed now. */
  countExpiredKeys(now: TrustedTime, signal: AbortSignal): Promise<number>;
}
