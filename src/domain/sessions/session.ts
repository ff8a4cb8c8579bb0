// Sessions as the store keeps them, and the changes that are written to them.

import { NIL } from "uuid";
import type { Lifecycle } from "./session-states.ts";

/** One rating for each question by position, null if there is none. */
export type Ratings = readonly (number | null)[];

export type SessionMode = "headless" | "hosted";

/** What the person of a hosted session may see of their results. */
export type PersonAccess = "none" | "after_completion";

/** How a repeated request finds the session of the first one. */
export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 of what the request asks for. */
  readonly requestHash: Uint8Array;
}

/** Most sessions that can ever join a group, whatever becomes of them. */
export const maxGroupSessions = 1_000;

/** When the answers of a session arrived, by the clock of the service. */
export interface AnswerArrivals {
  /** Arrival of the first and of the last call that changed an answer. */
  readonly firstAnswerAt: Date;
  readonly lastAnswerAt: Date;
  /** Number of those calls, 1 or more. */
  readonly answerCalls: number;
  /** Number of questions that the first call answered, 1 or more. */
  readonly firstCallAnswers: number;
}

/** The answers of a session after a call. */
export interface Recording {
  readonly answers: Ratings;
  /** Null if they are not known for every answer. */
  readonly arrivals: AnswerArrivals | null;
  /** Language of the statements that were answered, as a BCP 47 tag; null unless it is known and the same for all. */
  readonly shownLanguage: string | null;
}

/** The result of a completion. */
export interface Completion extends Recording {
  readonly completedAt: Date;
  /** Encoded; null if scoring failed. */
  readonly results: Uint8Array | null;
}

export interface StoredSession extends Lifecycle {
  readonly id: string;
  readonly partnerId: string;
  readonly externalId: string;
  /** That of its assessment version. */
  readonly product: string;
  readonly assessmentId: number;
  readonly mode: SessionMode;
  readonly redirectUrl: string | null;
  readonly locale: string | null;
  readonly personAccess: PersonAccess;
  readonly createdAt: Date;
  /** When a policy of the partner deleted its answers; null: none has. */
  readonly answersDeletedAt: Date | null;
  /** When a policy of the partner deleted its results; null: none has. */
  readonly resultsDeletedAt: Date | null;
  /** Grows by one with every write; a write names the revision that it was computed from. */
  readonly revision: number;
  readonly answers: Ratings;
  readonly arrivals: AnswerArrivals | null;
  readonly shownLanguage: string | null;
  /** Encoded, to be read by the product only; null until scored, and once deleted. */
  readonly results: Uint8Array | null;
  /** The group that it joined; null: none. */
  readonly groupId: string | null;
  /** The session of the short form whose ratings it took over, which may be erased since; null: none. */
  readonly continues: string | null;
}

/** A session to insert, perhaps with answers that it takes over. */
export interface NewSession
  extends Recording,
    Pick<StoredSession, "id" | "partnerId" | "externalId" | "product" | "assessmentId" | "mode" | "redirectUrl">,
    Pick<StoredSession, "locale" | "personAccess" | "createdAt" | "expiresAt" | "groupId" | "continues"> {
  readonly idempotency: IdempotencyKey | null;
  /** Of the code by which it joins its group; absent: the partner adds it. */
  readonly joinCodeHash?: Uint8Array;
}

/** A session as jobs read it that go through many: without its results. */
export type AnsweredSession = Omit<StoredSession, "results">;

/** The key of a session. With another partner's id nothing is found, changed or removed. */
export type SessionKey = Pick<StoredSession, "partnerId" | "id">;

/** A session as it was read, to be written. */
export type WrittenSession = Pick<StoredSession, "partnerId" | "id" | "revision">;

/** The place of a completed session in the order of completion. */
export interface CompletionKey {
  readonly completedAt: Date;
  readonly id: string;
}

export type CompletedSession = AnsweredSession & CompletionKey;

/** The order of completion, as for sorting. */
export function compareCompletions(one: CompletionKey, other: CompletionKey): number {
  return one.completedAt.getTime() - other.completedAt.getTime() || (one.id < other.id ? -1 : 1);
}

/** Sorts before all completed sessions. */
export const beforeAllCompletions: CompletionKey = { completedAt: new Date(0), id: NIL };

/** A call's change of a session. */
export interface SessionChange<T> {
  /** Stores it if the session still has its revision. Absent: there is nothing to store. */
  readonly write?: () => Promise<boolean>;
  /** The session once it is stored, if more may be recorded. */
  readonly afterWrite?: StoredSession;
  readonly response: () => T | Promise<T>;
}

/** A part of a completed session that may be deleted alone. */
export type DataClass = "answers" | "results";

/** An erasure of sessions of a partner. */
export interface Erasure {
  readonly partnerId: string;
  readonly erasedAt: Date;
  /** Whether sessions that are completed stay. */
  readonly onlyOpen?: boolean;
}

/** An erasure of a part, with the time by the clock of the partner's sessions. */
export interface PartErasure {
  readonly partnerId: string;
  readonly deletedAt: Date;
}
