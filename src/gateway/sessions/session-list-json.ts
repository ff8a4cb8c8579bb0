// Messages of lists of sessions as the JSON of the interface.

import {
  SessionModeSchema,
  SessionStatusSchema,
  type SessionSummary,
} from "../../gen/assessment/v1/session_service_pb.ts";
import type { SubjectSession } from "../../gen/assessment/v1/subject_service_pb.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { toTotals } from "../../products/values-bridge/json/results.ts";
import { enumWord } from "../../transport/http/bodies/message-json.ts";
import { toDateTime, toSubject } from "./session-json.ts";

/** SessionSummary. */
export function toSummary(session: SessionSummary) {
  const { sessionId, product, subject } = session;
  if (subject === undefined) throw new Refusal("internal", "The service made a mistake.");
  return { sessionId, product, subject: toSubject(subject), ...toEntry(session) };
}

/** SubjectSession. */
export function toSubjectSession(session: SubjectSession) {
  const { sessionId, totals } = session;
  return { sessionId, ...toEntry(session), totals: totals === undefined ? null : toTotals(totals) };
}

function toEntry(session: SessionSummary | SubjectSession) {
  return {
    status: enumWord(SessionStatusSchema, session.status),
    mode: enumWord(SessionModeSchema, session.mode),
    assessmentVersion: session.assessmentVersion,
    createdAt: toDateTime(session.createdAt),
    completedAt: toDateTime(session.completedAt),
    cancelledAt: toDateTime(session.cancelledAt),
    expiresAt: toDateTime(session.expiresAt),
    answersDeletedAt: toDateTime(session.answersDeletedAt),
    resultsDeletedAt: toDateTime(session.resultsDeletedAt),
  };
}
