// Rows of sessions.
import type { RowDataPacket } from "mysql2";
import { bytesToUuid, keptResults, uuidToBytes } from "../../database/rows.ts";
import type {
  Arrivals,
  DataClass,
  Erasure,
  Recording,
  SessionName,
  StoredOutcome,
  StoredSession,
  WrittenSession,
} from "../../domain/sessions/session-port.ts";
import { answersToBytes, bytesToAnswers } from "./answer-bytes.ts";

export function erasureToRow(erasure: Erasure, part: DataClass | "session", sessionsErased: number) {
  const { erasedAt } = erasure;
  const [id, partnerId] = [uuidToBytes(erasure.id), uuidToBytes(erasure.partnerId)];
  return { id, partnerId, clientId: uuidToBytes(erasure.clientId), erasedAt, sessionsErased, part };
}

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

export function nameToRow({ partnerId, id }: SessionName) {
  return { partnerId: uuidToBytes(partnerId), id: uuidToBytes(id) };
}

export function writtenToRow(written: WrittenSession) {
  return { ...nameToRow(written), revision: written.revision };
}

/** A row with the four columns of arrivals. */
export function toArrivals(row: RowDataPacket): Arrivals | null {
  if (row.first_answer_at === null || row.last_answer_at === null) return null;
  return {
    firstAnswerAt: row.first_answer_at,
    lastAnswerAt: row.last_answer_at,
    answerCalls: row.answer_calls,
    firstCallAnswers: row.first_call_answers,
  };
}

/** A row of `sessionColumns`. */
export function toSession(row: RowDataPacket): StoredSession {
  return {
    id: bytesToUuid(row.id),
    partnerId: bytesToUuid(row.partner_id),
    externalId: row.external_id.toString(),
    assessmentId: row.assessment_id,
    mode: row.mode,
    redirectUrl: row.redirect_url?.toString() ?? null,
    locale: row.locale,
    personAccess: row.person_access,
    createdAt: row.created_at,
    completedAt: row.completed_at,
    cancelledAt: row.cancelled_at,
    expiresAt: row.expires_at,
    answersDeletedAt: row.answers_deleted_at,
    resultsDeletedAt: row.results_deleted_at,
    revision: row.revision,
    lifecycleWrites: row.lifecycle_writes,
    answers: bytesToAnswers(row.answers),
    arrivals: toArrivals(row),
    shownLanguage: row.shown_language,
    groupId: row.group_id === null ? null : bytesToUuid(row.group_id),
  };
}

export function toOutcome(row: RowDataPacket): StoredOutcome {
  return {
    sessionId: bytesToUuid(row.id),
    partnerId: bytesToUuid(row.partner_id),
    assessmentId: row.assessment_id,
    completedAt: row.completed_at,
    results: keptResults(row),
    answersDeletedAt: row.answers_deleted_at,
    resultsDeletedAt: row.results_deleted_at,
  };
}
