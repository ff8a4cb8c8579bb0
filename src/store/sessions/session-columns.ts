// The columns of sessions, and their states in SQL.
import type {
  AnsweredSession,
  CompletedSession,
  NewSession,
  Ratings,
  SessionKey,
  StoredSession,
} from "../../domain/sessions/session.ts";
import { ends, noEndTimes } from "../../domain/sessions/session-states.ts";
import { byteText, type Column, type Columns, plain, table, uuid } from "../table.ts";

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
const results: Column<Buffer | null> = { read: (bytes: Buffer) => (bytes.length === 0 ? null : bytes) };

/** What a call that records answers writes. */
const recordingColumns = {
  answers: ratings,
  arrivals: { parts: plain("firstAnswerAt", "lastAnswerAt", "answerCalls", "firstCallAnswers") },
  ...plain("shownLanguage"),
};

const answeredColumns: Columns<AnsweredSession> = {
  id: uuid,
  partnerId: uuid,
  externalId: byteText,
  product: byteText,
  groupId: uuid,
  continues: uuid,
  ...plain("assessmentId", "mode", "personAccess", "locale", "revision"),
  ...plain("createdAt", "expiresAt", "cancelledAt", "completedAt", "answersDeletedAt", "resultsDeletedAt"),
  ...recordingColumns,
  redirectUrl: byteText,
};

export const recordings = table<Pick<StoredSession, keyof typeof recordingColumns>>(recordingColumns);
export const answeredSessions = table<AnsweredSession>(answeredColumns);
export const completedSessions = table<CompletedSession>({ ...answeredColumns, ...plain("completedAt") });
export const sessions = table<StoredSession>({ ...answeredColumns, results });

export const sessionKeys = table<SessionKey>({ partnerId: uuid, id: uuid });

/** A session as it is stored once it is inserted. */
export function insertedSession(session: NewSession): StoredSession {
  return {
    ...session,
    ...noEndTimes,
    answersDeletedAt: null,
    resultsDeletedAt: null,
    revision: 0,
    results: null,
  };
}

const columns = ends.map(({ state, at }) => ({ state, column: at.replace("At", "_at") }));

/** The columns of the times at which sessions ended. */
export const endColumns = columns.map(({ column }) => column).join(", ");
/** Whether no end of the session is stored. */
export const hasNotEnded = columns.map(({ column }) => `${column} IS NULL`).join(" AND ");

const cases = columns.map(({ state, column }) => `WHEN s.${column} IS NOT NULL THEN '${state}'`).join(" ");
/** The state of session `s` at the time `:now`, as in `computeState`. */
export const stateOfSession = `CASE ${cases} WHEN s.expires_at <= :now THEN 'expired' ELSE 'in_progress' END`;
