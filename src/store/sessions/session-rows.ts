// Rows of sessions, and their states as columns and conditions.

import type { RowDataPacket } from "mysql2";
import { bytesToUuid, keptResults } from "../../database/statement.ts";
import type {
  AnswerArrivals,
  AnsweredSession,
  Ratings,
  Recording,
  SessionMode,
  StoredSession,
} from "../../domain/sessions/session.ts";
import { type EndTimes, ends } from "../../kernel/session-states.ts";

export function recordingToRow({ answers, arrivals, shownLanguage }: Recording) {
  const { firstAnswerAt = null, lastAnswerAt = null, answerCalls = null, firstCallAnswers = null } = arrivals ?? {};
  return {
    answers: answersToBytes(answers),
    firstAnswerAt,
    lastAnswerAt,
    answerCalls,
    firstCallAnswers,
    shownLanguage,
  };
}

/** A row with the four columns of arrivals. */
function toArrivals(row: RowDataPacket): AnswerArrivals | null {
  if (row.first_answer_at === null || row.last_answer_at === null) return null;
  return {
    firstAnswerAt: row.first_answer_at,
    lastAnswerAt: row.last_answer_at,
    answerCalls: row.answer_calls,
    firstCallAnswers: row.first_call_answers,
  };
}

const columns = ends.map(({ state, at }) => ({ state, column: at.replace("At", "_at") }));

/** The columns of the times at which sessions ended. */
export const endColumns = columns.map(({ column }) => column).join(", ");
/** Whether no end of the session is stored. */
export const hasNotEnded = columns.map(({ column }) => `${column} IS NULL`).join(" AND ");

const cases = columns.map(({ state, column }) => `WHEN s.${column} IS NOT NULL THEN '${state}'`).join(" ");
/** The state of session `s` at the time `:now`, as in `stateOf`. */
export const stateOfSession = `CASE ${cases} WHEN s.expires_at <= :now THEN 'expired' ELSE 'in_progress' END`;

/** Columns that lists and exports of sessions share. */
export const sharedColumns = `id, external_id, assessment_id, mode, created_at, ${endColumns}, expires_at,
  answers_deleted_at, results_deleted_at, group_id, answers, first_answer_at, last_answer_at, answer_calls,
  first_call_answers`;
/** The columns of a session without its results. */
export const answeredColumns = `${sharedColumns}, revision, shown_language, partner_id, redirect_url, locale, person_access`;
export const sessionColumns = `${answeredColumns}, results`;

/** A row of `sharedColumns`. */
export function toShared(row: RowDataPacket) {
  return {
    id: bytesToUuid(row.id),
    externalId: row.external_id.toString() as string,
    assessmentId: row.assessment_id as number,
    mode: row.mode as SessionMode,
    createdAt: row.created_at as Date,
    ...toEndTimes(row),
    expiresAt: row.expires_at as Date | null,
    answersDeletedAt: row.answers_deleted_at as Date | null,
    resultsDeletedAt: row.results_deleted_at as Date | null,
    groupId: row.group_id === null ? null : bytesToUuid(row.group_id),
    answers: bytesToAnswers(row.answers),
    arrivals: toArrivals(row),
  };
}

/** A row of `answeredColumns`. */
export function toAnswered(row: RowDataPacket): AnsweredSession {
  return {
    ...toShared(row),
    revision: row.revision,
    shownLanguage: row.shown_language,
    partnerId: bytesToUuid(row.partner_id),
    redirectUrl: row.redirect_url?.toString() ?? null,
    locale: row.locale,
    personAccess: row.person_access,
  };
}

/** A row of `sessionColumns`. */
export function toSession(row: RowDataPacket): StoredSession {
  return { ...toAnswered(row), results: keptResults(row) };
}

/** 0 where there is no answer, else the rating plus 1. Ratings are 0 to 253. */
export function answersToBytes(answers: Ratings): Buffer {
  return Buffer.from(answers.map((rating) => (rating === null ? 0 : rating + 1)));
}

export function bytesToAnswers(bytes: Buffer): Ratings {
  return Array.from(bytes, (byte) => (byte === 0 ? null : byte - 1));
}

/** A row with `endColumns`. */
function toEndTimes(row: RowDataPacket): EndTimes {
  return { completedAt: row.completed_at, cancelledAt: row.cancelled_at };
}
