// Sessions as the store keeps them, the changes that are written to them, and their states. A stored field is declared here alone.

import { NIL } from "uuid";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { byteText, type Field, nullable, type ObjectOf, oneOf, partsOf, plain, uuid } from "../stored-fields.ts";

/** One rating for each question by position, null if there is none. */
export type Ratings = readonly (number | null)[];

/** A byte for each question: 0 without an answer, else the rating plus 1. Ratings are 0 to 253. */
export const ratings = {
  read(bytes: Buffer): Ratings {
    const answers: (number | null)[] = [];
    // `Array.from` would take four times as long.
    for (const byte of bytes) answers.push(byte === 0 ? null : byte - 1);
    return answers;
  },
  write: (answers: Ratings) => Buffer.from(answers.map((rating) => (rating === null ? 0 : rating + 1))),
};

/** Deleted results are empty, not null, which means that scoring is pending. */
const results: Field<Uint8Array | null> = { read: (bytes: Buffer) => (bytes.length === 0 ? null : bytes) };

/** Fields of a new session that its request states, by their names. */
export const requestedFields = {
  mode: oneOf("headless", "hosted"),
  redirectUrl: nullable(byteText),
  locale: plain<string | null>(),
  /** The results that the person of a hosted session may see. */
  personAccess: oneOf("none", "after_completion"),
  /** When it expires unless it has ended; null: never. */
  expiresAt: plain<Date | null>(),
};

/** Fields that a call writes which records answers. */
export const recordingFields = {
  answers: ratings,
  /** When they arrived, by the clock of the service; null if that is not known for every answer. */
  arrivals: partsOf({
    /** Arrival of the first and of the last call that changed an answer. */
    firstAnswerAt: plain<Date>(),
    lastAnswerAt: plain<Date>(),
    /** Number of those calls; 0 for answers that were copied from the short form. */
    answerCalls: plain<number>(),
    /** Number of questions that the first call answered, or that were copied from the short form. */
    firstCallAnswers: plain<number>(),
  }),
  /** Language of the statements that were answered, as a BCP 47 tag; null unless it is known and the same for all. */
  shownLanguage: plain<string | null>(),
};

const newFields = {
  id: uuid,
  partnerId: uuid,
  externalId: byteText,
  /** That of its assessment. */
  product: byteText,
  assessmentId: plain<number>(),
  /** The group that it joined; null: none. */
  groupId: nullable(uuid),
  /** The session of the short form whose ratings it copied, which may be erased since; null: none. */
  continues: nullable(uuid),
  createdAt: plain<Date>(),
  ...requestedFields,
  ...recordingFields,
};

/** Times of events of a session; null: it has not happened. */
export const laterFields = {
  completedAt: plain<Date | null>(),
  cancelledAt: plain<Date | null>(),
  /** When a policy of the partner deleted its answers. */
  answersDeletedAt: plain<Date | null>(),
  /** When a policy of the partner deleted its results. */
  resultsDeletedAt: plain<Date | null>(),
};

/** The fields of a session as jobs read it that go through many: without its results. */
export const answeredFields = {
  ...newFields,
  ...laterFields,
  /** Grows by one with every write; a write names the revision that it was computed from. */
  revision: plain<number>(),
};

export const sessionFields = {
  ...answeredFields,
  /** Encoded, to be read by the product only; null until scored, and once deleted. */
  results,
};

export interface StoredSession extends ObjectOf<typeof sessionFields> {}
export type AnsweredSession = Omit<StoredSession, "results">;
export type SessionMode = StoredSession["mode"];
export type PersonAccess = StoredSession["personAccess"];
export type AnswerArrivals = NonNullable<StoredSession["arrivals"]>;

/** The answers of a session after a call. */
export type Recording = Pick<StoredSession, keyof typeof recordingFields>;

/** The result of a completion. */
export interface Completion extends Recording {
  readonly completedAt: Date;
  /** Encoded; null if scoring failed. */
  readonly results: Uint8Array | null;
}

/** The key by which a repeated request finds the session of the first one. */
export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 of what the request asks for. */
  readonly requestHash: Uint8Array;
}

/** A session to insert, perhaps with answers that it copies. */
export interface NewSession extends Pick<StoredSession, keyof typeof newFields> {
  readonly idempotency: IdempotencyKey | null;
  /** SHA-256 of the join code that the person used; absent if the partner created the session. */
  readonly joinCodeHash?: Uint8Array;
}

/** Most sessions that can ever join a group, whatever becomes of them. */
export const maxGroupSessions = 1_000;

/** The key of a session. With another partner's id nothing is found, changed or removed. */
export type SessionKey = Pick<StoredSession, "partnerId" | "id">;

/** A session as it was read: a write of it is refused if its revision is another one by then. */
export type SessionRevision = Pick<StoredSession, "partnerId" | "id" | "revision">;

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

/** The states of a session; CONTRIBUTING says how to add one. */
export const sessionStates = ["in_progress", "completed", "cancelled", "expired"] as const;
export type SessionState = (typeof sessionStates)[number];

/** When a session ended; null: it did not. */
export interface EndTimes {
  readonly completedAt: Date | null;
  readonly cancelledAt: Date | null;
}

/** The fields that the state follows from. */
export interface Lifecycle extends EndTimes {
  readonly expiresAt: Date | null;
}

/**
 * The state of a stored session. A session past its time is expired at once, whether the job has run or not.
 * @param now milliseconds since 1970, by the clock of the partner's sessions
 */
export function computeState({ completedAt, cancelledAt, expiresAt }: Lifecycle, now: number): SessionState {
  if (completedAt !== null) return "completed";
  if (cancelledAt !== null) return "cancelled";
  return expiresAt !== null && expiresAt.getTime() <= now ? "expired" : "in_progress";
}

/** When a session ended; null: it has not, or has only expired by time. */
export function findEndTime({ completedAt, cancelledAt }: EndTimes): Date | null {
  return completedAt ?? cancelledAt;
}

/** Actions on a session. `answer`: answers that differ from the stored ones; `link`: a new link. */
export type SessionAction = "answer" | "complete" | "cancel" | "reopen" | "link";

/** The details of the actions that a state refuses, each with the code of the state. */
const refusals: Readonly<
  Record<Exclude<SessionState, "in_progress">, Readonly<Partial<Record<SessionAction, string>>>>
> = {
  completed: {
    answer: details.session_completed,
    complete: details.session_completed,
    cancel: "A completed session cannot be cancelled. Its person can be erased.",
    reopen: "A completed session cannot be reopened. Create a new one.",
    link: "A completed session gets no new link: it accepts no answers. `DELETE …/report-links` ends all access to its report.",
  },
  cancelled: {
    answer: "The session is cancelled and takes no answers.",
    complete: "The session is cancelled and cannot be completed.",
    reopen: "A cancelled session cannot be reopened. Create a new one.",
    link: "A cancelled session gets no new link. Create a new session.",
  },
  expired: {
    answer: "The session has expired: reopen it before you send answers.",
    complete: "The session has expired: reopen it before you complete it.",
    link: "The session has expired: reopen it before you create a link.",
  },
};

/** Throws the refusal of an action in that state, if it is refused. */
export function requireAllowed(state: SessionState, action: SessionAction): void {
  const detail = state === "in_progress" ? undefined : refusals[state][action];
  if (state !== "in_progress" && detail !== undefined) throw new Refusal(`session_${state}`, detail);
}
