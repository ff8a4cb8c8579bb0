// The part of the Store port that ends idempotency keys.

/** A place among the keys that the release before has left in sessions. */
export interface KeyPlace {
  readonly partnerId: string;
  readonly key: string;
}

/** What became of a page of such keys. */
export interface CopiedKeys {
  readonly copied: number;
  /** Their time was over. */
  readonly ended: number;
  /** Where the next page begins; undefined: there is none. */
  readonly next: KeyPlace | undefined;
}

export interface IdempotencyKeyStore {
  /** Frees a key whose time is over by the database's clock, or whose session is gone. Any other one stays. */
  freeKey(partnerId: string, key: string, signal: AbortSignal): Promise<void>;
  /** Removes at most `limit` keys whose time is over by the database's clock. @returns how many it found */
  deleteExpiredKeys(limit: number, signal: AbortSignal): Promise<number>;
  /** How many keys are to be removed now. */
  countExpiredKeys(signal: AbortSignal): Promise<number>;
  /**
   * Gives keys an end that releases before have stored without one: so many days after their session was created. It may
   * be repeated. @param after undefined: from the beginning. @param limit most keys that are looked at
   */
  copyKeys(after: KeyPlace | undefined, keptDays: number, limit: number, signal: AbortSignal): Promise<CopiedKeys>;
}
