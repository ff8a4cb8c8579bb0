// The part of the Store port for norms of all partners: who takes part, and what was released.

import type { TrustedTime } from "../trusted-clock.ts";

/** Whether a partner's people count for norms of all partners. */
export interface Participation {
  /** Whether the partner wants it. */
  readonly takesPart: boolean;
  /** Whether an operator leaves the partner out all the same. */
  readonly isExcluded: boolean;
}

/** Names norms of all partners. */
export interface PoolKey {
  readonly assessmentId: number;
  /** Language of the statements shown, as a BCP 47 tag; `und` if it is not known. */
  readonly language: string;
}

export interface PoolRelease {
  /** From 1 on. */
  readonly number: number;
  readonly releasedAt: Date;
  /** JSON, to be read by the product only. */
  readonly histograms: Uint8Array;
}

/** A release that nobody has seen yet. */
export interface DrawnRelease extends Omit<PoolRelease, "releasedAt"> {
  readonly quarter: number;
}

export interface NormPoolStore {
  /** Undefined if nothing was ever set. */
  findParticipation(partnerId: string, signal: AbortSignal): Promise<Participation | undefined>;
  saveParticipation(partnerId: string, participation: Participation, signal: AbortSignal): Promise<void>;
  /** Partners that take part, in ascending id after `after`, at most `limit`. */
  listParticipants(after: string, limit: number, signal: AbortSignal): Promise<string[]>;
  /** The sums of those partners that have people in the pool. */
  listSums(key: PoolKey, partnerIds: readonly string[], signal: AbortSignal): Promise<Uint8Array[]>;
  /** Whether the releases of a quarter, or of a later one, were all decided. */
  isDecided(quarter: number, signal: AbortSignal): Promise<boolean>;
  saveDecidedQuarter(quarter: number, decidedAt: TrustedTime, signal: AbortSignal): Promise<void>;
  /** The last release; undefined before the first. */
  findRelease(key: PoolKey, signal: AbortSignal): Promise<PoolRelease | undefined>;
  /**
   * Keeps a release for ever.
   * @returns false where there is another one of that number or quarter: that one stays, and this one must never be shown
   */
  saveRelease(key: PoolKey, drawn: DrawnRelease, releasedAt: TrustedTime, signal: AbortSignal): Promise<boolean>;
}
