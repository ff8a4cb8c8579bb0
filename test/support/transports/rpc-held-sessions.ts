// All that is held of a person in the shape of the REST interface, written down independently of the gateway.

import type { ExportSubjectResponse } from "../../../src/gen/assessment/v1/export_service_pb.ts";
import {
  type HeldLink,
  type HeldMembership,
  type HeldSession,
  type HeldVisit,
  PersonDoor,
} from "../../../src/gen/assessment/v1/held_session_pb.ts";
import { QualitySchema } from "../../../src/gen/assessment/v1/quality_pb.ts";
import { PersonAccess, SessionMode } from "../../../src/gen/assessment/v1/session_service_pb.ts";
import { toJson } from "../../../src/kernel/json/message-json.ts";
import { toExplanationBody } from "../values-bridge/explanation-body.ts";
import { statusWords, toIso, toResultsBody } from "./rpc-bodies.ts";
import type { HeldSessionBody, SubjectExportBody } from "./transports.ts";

export function toSubjectExportBody({
  subject,
  sessions,
  nextCursor,
  atEnd,
}: ExportSubjectResponse): SubjectExportBody {
  if (subject === undefined) throw new Error("no subject");
  const { id, externalId, anonymous } = subject;
  return { subject: { id, externalId, anonymous }, sessions: sessions.map(toHeldBody), nextCursor, atEnd };
}

function toMembershipBody({ groupId, label, closedAt, counted }: HeldMembership) {
  return { groupId, label, closedAt: toIso(closedAt), counted };
}

function toHeldBody(session: HeldSession): HeldSessionBody {
  const { arrivals, explanation, quality, normCounting } = session;
  return {
    sessionId: session.sessionId,
    mode: session.mode === SessionMode.HOSTED ? "hosted" : "headless",
    status: statusWords[session.status] ?? "unknown",
    assessmentVersion: session.assessmentVersion,
    createdAt: toIso(session.createdAt),
    completedAt: toIso(session.completedAt),
    cancelledAt: toIso(session.cancelledAt),
    expiresAt: toIso(session.expiresAt),
    answersDeletedAt: toIso(session.answersDeletedAt),
    resultsDeletedAt: toIso(session.resultsDeletedAt),
    group: session.group === undefined ? null : { ...toMembershipBody(session.group) },
    redirectUrl: session.redirectUrl ?? null,
    locale: session.locale ?? null,
    personAccess: session.personAccess === PersonAccess.AFTER_COMPLETION ? "after_completion" : "none",
    shownLanguage: session.shownLanguage ?? null,
    statementLanguage: session.statementLanguage,
    answers: session.answers.map(({ questionId, statement, value, label }) => ({
      questionId,
      statement,
      value,
      label,
    })),
    arrivals:
      arrivals === undefined
        ? null
        : {
            firstAnswerAt: toIso(arrivals.firstAnswerAt),
            lastAnswerAt: toIso(arrivals.lastAnswerAt),
            answerCalls: arrivals.answerCalls,
            firstCallAnswers: arrivals.firstCallAnswers,
          },
    results: toResultsBody(session.results),
    explanation: explanation === undefined ? null : toExplanationBody(explanation),
    quality: quality === undefined ? null : toJson(QualitySchema)(quality),
    normCounting:
      normCounting === undefined
        ? null
        : {
            counted: normCounting.counted,
            contributes: normCounting.contributes,
            retestOf: normCounting.retestOf ?? null,
          },
    links: session.links.map((link) => ({
      ...toAccess(link),
      locale: link.locale ?? null,
      name: link.name ?? null,
      date: link.date ?? null,
      timeZone: link.timeZone ?? null,
    })),
    visits: session.visits.map(toAccess),
    reportViews: session.reportViews.map(({ viewedAt, byLink }) => ({ viewedAt: toIso(viewedAt), byLink })),
    hasEarlierReportViews: session.hasEarlierReportViews,
  };
}

function toAccess({ door, createdAt, expiresAt }: HeldLink | HeldVisit) {
  const word = door === PersonDoor.HOSTED ? "hosted" : "report";
  return { door: word, createdAt: toIso(createdAt), expiresAt: toIso(expiresAt) };
}
