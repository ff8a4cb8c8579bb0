// The norm part of the Store port: accumulators, what they count, and what is released of them.

import type { CompletionKey, StoredSession } from "../sessions/session-port.ts";
import type { TrustedTime } from "../trusted-clock.ts";
import type { NormArithmetic, NormKind } from "./norm-arithmetic-port.ts";

/** Names accumulators. */
export interface NormSetKey {
  readonly assessmentId: number;
  /** Language of the statements shown, as a BCP 47 tag; `und` if it is not known. */
  readonly language: string;
  readonly kind: NormKind;
  /** Null: of all partners together. */
  readonly partnerId: string | null;
}

/** A completed session, and what it is for norms. */
export interface CountedSession {
  readonly session: StoredSession;
  /** The person, the same for every session of theirs. */
  readonly subjectId: string;
  readonly role: NormRole;
}

/**
 * - `first`: the person's first completed session of the version
 * - `retest`: makes a pair with that first session
 * - `none`: adds nothing
 */
export type NormRole =
  | { readonly name: "first"; readonly contributes: boolean }
  | { readonly name: "retest"; readonly first: StoredSession }
  | { readonly name: "none" };

/** The first completed session of a person in a version, as it was counted. */
export interface FirstSession {
  readonly subjectId: string;
  readonly assessmentId: number;
  readonly sessionId: string;
  readonly contributes: boolean;
  readonly hasRetest: boolean;
}

/** A set as a release sees it. */
export interface NormSetState {
  readonly key: NormSetKey;
  readonly live: number;
  readonly fresh: number;
  readonly freshOfLargest: number;
  /** Number of releases there were. */
  readonly releases: number;
  readonly removedAt: Date | null;
}

/** Numbers as they were released. */
export interface NormRelease {
  readonly releasedAt: Date;
  /** Number of contributions in them. */
  readonly contributions: number;
  /** JSON, to be read by the product only. */
  readonly numbers: Uint8Array;
}

/** What a rebuild found. */
export interface Rebuilt {
  readonly contributions: number;
  /** Whether the stored numbers were others. */
  readonly hasChanged: boolean;
}

export interface NormStore {
  /** Completed sessions that were not counted yet, in the order of their completion, at most `limit`. */
  listUncounted(after: CompletionKey, limit: number, signal: AbortSignal): Promise<StoredSession[]>;
  /** The first sessions of people, at most 50 people. */
  findFirstSessions(subjectIds: readonly string[], signal: AbortSignal): Promise<FirstSession[]>;
  /**
   * Counts sessions, at most 50, each once: adds what they contribute and marks them, in one transaction. Those that are
   * gone, counted or locked by others are left alone.
   * @returns false where another process counted one of the people first: nothing was done
   */
  count(sessions: readonly CountedSession[], arithmetic: NormArithmetic, signal: AbortSignal): Promise<boolean>;
  /** Ids of sets that have at least so many contributions, and so many fresh ones. */
  listReleasable(live: number, fresh: number, signal: AbortSignal): Promise<number[]>;
  /** Releases a set where `make` gives numbers for its state and sums; in one transaction. */
  release(
    setId: number,
    make: (state: NormSetState, sums: Uint8Array) => Omit<NormRelease, "contributions"> | null,
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Removes the numbers of sets of which a released contribution was removed at that time or before. */
  withdraw(removedBefore: TrustedTime, signal: AbortSignal): Promise<void>;
  /** A set with what is released of it; undefined if nothing was ever counted. */
  findSet(
    key: NormSetKey,
    signal: AbortSignal,
  ): Promise<{ state: NormSetState; release: NormRelease | null } | undefined>;
  /** Ids of sets greater than `after`, ascending, at most `limit`, with the version of each. */
  listSets(after: number, limit: number, signal: AbortSignal): Promise<{ id: number; assessmentId: number }[]>;
  /** Recomputes a set from stored answers, beside everything else that goes on. */
  rebuild(setId: number, arithmetic: NormArithmetic, signal: AbortSignal): Promise<Rebuilt>;
}
