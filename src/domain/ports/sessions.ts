// The session part of the Store port.
/** One rating for each question by position, null where there is none. */
export type AnswerSheet = readonly (number | null)[];

export type SessionMode = "headless" | "hosted";

/** A session to insert. */
export interface NewSession {
  readonly id: string;
  readonly partnerId: string;
  readonly externalId: string;
  readonly assessmentId: number;
  readonly mode: SessionMode;
  readonly redirectUrl: string | null;
  readonly locale: string | null;
  readonly createdAt: Date;
  readonly idempotency: { readonly key: string; readonly requestHash: Uint8Array } | null;
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
  readonly createdAt: Date;
  readonly completedAt: Date | null;
  /** Grows by one with every write; a write names the revision it was computed from. */
  readonly revision: number;
  readonly answers: AnswerSheet;
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
  saveAnswers(
    id: string,
    revision: number,
    recorded: { answers: AnswerSheet; answeredAt: Date },
    signal: AbortSignal,
  ): Promise<boolean>;
  /** Stores answers, completion and results together if the open session still has the revision. False: it has not. */
  saveCompletion(
    id: string,
    revision: number,
    completion: { answers: AnswerSheet; completedAt: Date; results: Uint8Array | null },
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
   * Removes those of the sessions that are still there, with their links and visits, and adds the record of it if there
   * were any. Gives the number removed.
   */
  eraseSessions(ids: readonly string[], erasure: Erasure, signal: AbortSignal): Promise<number>;
}

/** What is kept of an erasure: nothing that leads to the person. */
export interface Erasure {
  readonly id: string;
  readonly partnerId: string;
  readonly clientId: string;
  readonly erasedAt: Date;
}
