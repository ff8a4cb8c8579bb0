// The norm part of the Store port: accumulators, what they count, and the numbers that are made of them.

import type { CompletionKey, StoredSession } from "../sessions/session.ts";
import type { NormArithmetic, NormKind } from "./norm-arithmetic-port.ts";
import type { PoolKey } from "./pool-port.ts";

/** Names accumulators: those of one partner's people. */
export interface NormSetKey {
  readonly assessmentId: number;
  /** Language of the statements shown, as a BCP 47 tag; `und` if it is not known. */
  readonly language: string;
  readonly kind: NormKind;
  readonly partnerId: string;
}

/** Names accumulators by a number that their partner has once. */
export interface NormSetName {
  readonly partnerId: string;
  readonly id: number;
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

/** Whether a session of this role changes a set. */
export function addsToSet(role: NormRole): boolean {
  return role.name === "retest" || (role.name === "first" && role.contributes);
}

/** A person of a partner, the same for every session of theirs. */
export interface SubjectName {
  readonly partnerId: string;
  readonly subjectId: string;
}

/** The first completed session of a person in a version, as it was counted. */
export interface FirstSession {
  readonly subjectId: string;
  readonly assessmentId: number;
  readonly sessionId: string;
  readonly contributes: boolean;
  readonly hasRetest: boolean;
}

/** Numbers as they were computed. */
export interface StoredNumbers {
  readonly computedAt: Date;
  /** Number of people, or of pairs of sessions, in them. */
  readonly people: number;
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
  /** The first sessions of people, at most 50 people, each with their partner. */
  findFirstSessions(subjects: readonly SubjectName[], signal: AbortSignal): Promise<FirstSession[]>;
  /**
   * Counts sessions, at most 50, each once: adds what they contribute and marks them, in one transaction. Those that are
   * gone, counted or locked by others are left alone.
   * @returns false where another process counted one of the people first: nothing was done
   */
  count(sessions: readonly CountedSession[], arithmetic: NormArithmetic, signal: AbortSignal): Promise<boolean>;
  /**
   * Sets of which a hundredth of the people have come since their numbers were computed, or anybody has gone;
   * at most `limit`.
   */
  listStale(limit: number, signal: AbortSignal): Promise<NormSetName[]>;
  /** Puts numbers that `make` gives for the sums of a set in the place of the earlier ones; null: there are none. */
  saveNumbers(
    set: NormSetName,
    make: (key: NormSetKey, sums: Uint8Array | null) => StoredNumbers | null,
    signal: AbortSignal,
  ): Promise<void>;
  /** The numbers of a set; undefined if none were computed. */
  findNumbers(key: NormSetKey, signal: AbortSignal): Promise<StoredNumbers | undefined>;
  /** The first pool, or the next one after another, that anybody was ever counted for. */
  findNextPool(after: PoolKey | undefined, signal: AbortSignal): Promise<PoolKey | undefined>;
  /** Sets after one, by partner and number, at most `limit`, with the version of each. */
  listSets(
    after: NormSetName,
    limit: number,
    signal: AbortSignal,
  ): Promise<(NormSetName & { readonly assessmentId: number })[]>;
  /** Recomputes a set from stored answers, beside everything else that goes on. */
  rebuild(set: NormSetName, arithmetic: NormArithmetic, signal: AbortSignal): Promise<Rebuilt>;
}
