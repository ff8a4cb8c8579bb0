// All that is held of a person as the JSON of the interface.
import { ExplanationSchema } from "../../gen/assessment/v1/explanation_pb.ts";
import {
  type AnswerArrivals,
  type HeldLink,
  type HeldSession,
  type HeldVisit,
  type NormCounting,
  PersonDoorSchema,
} from "../../gen/assessment/v1/held_session_pb.ts";
import {
  PersonAccessSchema,
  SessionModeSchema,
  SessionStatusSchema,
  type Subject,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { toQuality } from "../../products/values-bridge/json/quality.ts";
import { toResults } from "../../products/values-bridge/json/results.ts";
import { enumWord, messageToJson } from "../../transport/http/bodies/message-json.ts";
import { toDateTime, toSubject } from "../sessions/session-json.ts";
import type { ExportText } from "./export-stream.ts";

/** SubjectExport, in pieces. A session takes a millisecond and more. */
export function subjectExportText(product: string, subject: Subject): ExportText<HeldSession> {
  const head = JSON.stringify({ subject: toSubject(subject), product }).slice(0, -1);
  return {
    turn: 2,
    head: `${head},"sessions":[`,
    row: (session) => JSON.stringify(toHeldSession(session)),
    separator: ",",
    tail: (nextCursor, atEnd) => `],"nextCursor":${JSON.stringify(nextCursor)},"atEnd":${atEnd}}`,
  };
}

/** HeldSession. */
export function toHeldSession(session: HeldSession) {
  const { explanation, quality } = session;
  return {
    sessionId: session.sessionId,
    mode: enumWord(SessionModeSchema, session.mode),
    status: enumWord(SessionStatusSchema, session.status),
    assessmentVersion: session.assessmentVersion,
    createdAt: toDateTime(session.createdAt),
    completedAt: toDateTime(session.completedAt),
    cancelledAt: toDateTime(session.cancelledAt),
    expiresAt: toDateTime(session.expiresAt),
    answersDeletedAt: toDateTime(session.answersDeletedAt),
    resultsDeletedAt: toDateTime(session.resultsDeletedAt),
    redirectUrl: session.redirectUrl ?? null,
    locale: session.locale ?? null,
    personAccess: enumWord(PersonAccessSchema, session.personAccess),
    shownLanguage: session.shownLanguage ?? null,
    statementLanguage: session.statementLanguage,
    answers: session.answers.map(({ questionId, statement, value, label }) => ({
      questionId,
      statement,
      value,
      label,
    })),
    arrivals: toArrivals(session.arrivals),
    results: toResults(session.results),
    explanation: explanation === undefined ? null : messageToJson(ExplanationSchema, explanation),
    quality: quality === undefined ? null : toQuality(quality),
    normCounting: toNormCounting(session.normCounting),
    links: session.links.map((link) => ({ ...toAccess(link), locale: link.locale ?? null })),
    visits: session.visits.map(toAccess),
    reportViews: session.reportViews.map(({ viewedAt, byLink }) => ({ viewedAt: toDateTime(viewedAt), byLink })),
    hasEarlierReportViews: session.hasEarlierReportViews,
  };
}

function toArrivals(arrivals: AnswerArrivals | undefined) {
  if (arrivals === undefined) return null;
  const { firstAnswerAt, lastAnswerAt, answerCalls, firstCallAnswers } = arrivals;
  return {
    firstAnswerAt: toDateTime(firstAnswerAt),
    lastAnswerAt: toDateTime(lastAnswerAt),
    answerCalls,
    firstCallAnswers,
  };
}

function toNormCounting(counting: NormCounting | undefined) {
  if (counting === undefined) return null;
  const { counted, contributes, retestOf } = counting;
  return { counted, contributes, retestOf: retestOf ?? null };
}

function toAccess({ door, createdAt, expiresAt }: HeldLink | HeldVisit) {
  return {
    door: enumWord(PersonDoorSchema, door),
    createdAt: toDateTime(createdAt),
    expiresAt: toDateTime(expiresAt),
  };
}
