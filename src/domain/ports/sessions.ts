// The session part of the Store port.
import type { NormArithmetic } from "./norm-arithmetic.ts";

/** One rating for each question by position, null if there is none. */
export type AnswerSheet = readonly (number | null)[];

export type SessionMode = "headless" | "hosted";

/** What the person of a hosted session may see of their results. */
export type PersonAccess = "none" | "after_completion";

/** A session to insert. */
export interface NewSession {
  readonly id: string;
  readonly partnerId: string;
  readonly externalId: string;
  readonly assessmentId: number;
  readonly mode: SessionMode;
  readonly redirectUrl: string | null;
  readonly locale: string | null;
  readonly personAccess: PersonAccess;
  readonly createdAt: Date;
  readonly idempotency: { readonly key: string; readonly requestHash: Uint8Array } | null;
}

/** When the answers of a session arrived, by the clock of the service. */
export interface Arrivals {
  /** Arrival of the first and of the last call that changed an answer. */
  readonly firstAnswerAt: Date;
  readonly lastAnswerAt: Date;
  /** Number of those calls, 1 or more. */
  readonly answerCalls: number;
  /** Number of questions that the first call answered, 1 or more. */
  readonly firstCallAnswers: number;
}

/** What a call leaves of the answers of a session. */
export interface Recording {
  readonly answers: AnswerSheet;
  /** Null if they are not known for every answer. */
  readonly arrivals: Arrivals | null;
  /** Language of the statements that were answered, as a BCP 47 tag; null unless it is known and one for all. */
  readonly shownLanguage: string | null;
}

/** A session without its results. */
export interface StoredSession {
  readonly id: string;
  readonly partnerId: string;
  readonly externalId: string;
  readonly assessmentId: number;
  readonly mode: SessionMode;
  readonly redirectUrl: string | null;
  readonly locale: string | null;
  readonly personAccess: PersonAccess;
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  /** Grows by one with every write; a write names the revision it was computed from. */
  readonly revision: number;
  readonly answers: AnswerSheet;
  readonly arrivals: Arrivals | null;
  readonly shownLanguage: string | null;
}

/** The outcome of a completed session. */
export interface StoredOutcome {
  readonly sessionId: string;
  readonly partnerId: string;
  readonly assessmentId: number;
  readonly completedAt: Date;
  /** Encoded, to be read by the product only; null until scored. */
  readonly results: Uint8Array | null;
}

/** The place of a session among those of its person: open ones first, by id, then completed ones, by completion and id. */
export interface SessionKey {
  readonly completedAt: Date | null;
  readonly id: string;
}

/** The place of a completed session in the order of completion. */
export interface CompletionKey extends SessionKey {
  readonly completedAt: Date;
}

/** Before all completed sessions. */
export const beforeAllCompletions: CompletionKey = {
  completedAt: new Date(0),
  id: "00000000-0000-0000-0000-000000000000",
};

export interface SessionStore {
  /**
   * Inserts the session, or nothing where the partner's idempotency key is taken: by another session, or by this one if
   * an earlier try was thought lost and did happen.
   */
  insertSession(session: NewSession, signal: AbortSignal): Promise<"inserted" | "key_taken">;
  findSession(id: string, signal: AbortSignal): Promise<StoredSession | undefined>;
  findSessionByKey(
    partnerId: string,
    key: string,
    signal: AbortSignal,
  ): Promise<{ session: StoredSession; requestHash: Uint8Array } | undefined>;
  /** Stores the answers of an open session if it still has the revision. False: it has not. */
  saveAnswers(id: string, revision: number, recording: Recording, signal: AbortSignal): Promise<boolean>;
  /** Stores answers, completion and results together if the open session still has the revision. False: it has not. */
  saveCompletion(
    id: string,
    revision: number,
    completion: Recording & { readonly completedAt: Date; readonly results: Uint8Array | null },
    signal: AbortSignal,
  ): Promise<boolean>;
  /** The outcome of a session, undefined while it is open. */
  findOutcome(id: string, signal: AbortSignal): Promise<StoredOutcome | undefined>;
  /** The completed session of a person in a product with the greatest completion time, then the greatest id. */
  findLatestOutcome(
    product: string,
    partnerId: string,
    externalId: string,
    signal: AbortSignal,
  ): Promise<StoredOutcome | undefined>;
  /** The one that comes before a completed session of the person, in the same order. */
  findOutcomeBefore(
    product: string,
    partnerId: string,
    externalId: string,
    later: CompletionKey,
    signal: AbortSignal,
  ): Promise<StoredOutcome | undefined>;
  /** Completed sessions without results behind the key, in the order of their keys, at most `limit`. */
  listUnscored(after: CompletionKey, limit: number, signal: AbortSignal): Promise<CompletionKey[]>;
  /** Gives an unscored completed session its results. */
  saveResults(id: string, results: Uint8Array, signal: AbortSignal): Promise<void>;
  /** The sessions of a person behind the key, in the order of their keys, at most `limit`. @param after null: the first */
  listSessionKeys(
    partnerId: string,
    externalId: string,
    after: SessionKey | null,
    limit: number,
    signal: AbortSignal,
  ): Promise<SessionKey[]>;
  /**
   * Removes those of the sessions that are still there, with their links, visits, views and what they contribute to norms,
   * and adds the record of it if there were any. Gives the number removed. Throws VersionNotLoaded if the arithmetic does.
   */
  eraseSessions(
    ids: readonly string[],
    erasure: Erasure,
    arithmetic: NormArithmetic,
    signal: AbortSignal,
  ): Promise<number>;
}

/** What is kept of an erasure: nothing that leads to the person. */
export interface Erasure {
  readonly id: string;
  readonly partnerId: string;
  readonly clientId: string;
  readonly erasedAt: Date;
}
