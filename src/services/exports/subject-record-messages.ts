// All that is held of a session as a message.

import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import { type HeldSessionSchema, PersonDoor } from "../../gen/assessment/v1/held_session_pb.ts";
import {
  PersonAccess as AccessMessage,
  SessionMode as ModeMessage,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import type { ProductMessages } from "../../products/product.ts";
import type { RecordedMembership, SubjectRecord } from "../../store/exports/subject-record-store.ts";
import type { NormRole } from "../norms/people.ts";
import { toLifecycleMessage, toTimestamp } from "../sessions/session-messages.ts";
import type { ExportedSubjectRecord } from "./export-subject.ts";

const modes = byWord(ModeMessage);
const accesses = byWord(AccessMessage);

/** A session with all that is held with it. @param now milliseconds since 1970 */
export function toSubjectRecordMessage(
  { record, assessment, results, insight, normRole }: ExportedSubjectRecord,
  now: number,
  messages: ProductMessages,
): MessageInitShape<typeof HeldSessionSchema> {
  const { session } = record;
  const { mode, redirectUrl, locale, personAccess, shownLanguage, completedAt } = session;
  return {
    sessionId: session.id,
    mode: modes[mode],
    assessmentVersion: assessment.version,
    ...toLifecycleMessage(session, now),
    redirectUrl: redirectUrl ?? undefined,
    locale: locale ?? undefined,
    personAccess: accesses[personAccess],
    shownLanguage: shownLanguage ?? undefined,
    ...toAnswers(session, assessment),
    ...toArrivals(session),
    results: results === null ? undefined : messages.results(results),
    ...(insight === null
      ? {}
      : { explanation: messages.explanation(insight.explanation), quality: messages.quality(insight.quality) }),
    normCounting: completedAt === null ? undefined : toNormCounting(normRole),
    ...toAccesses(record),
    group: record.membership === null ? undefined : toMembership(record.membership),
  };
}

function toMembership({ groupId, label, closedAt, isCounted }: RecordedMembership) {
  return { groupId, label, counted: isCounted, closedAt: toTimestamp(closedAt) };
}

function toAnswers({ answers, shownLanguage }: StoredSession, { wordings }: PublishedAssessment) {
  const wording = wordings.find(({ language }) => language === shownLanguage) ?? wordings[0];
  if (wording === undefined) throw new Error("an assessment without wording");
  const labels = new Map(wording.choices.map(({ id, label }) => [id, label]));
  const asked = wording.sections.flatMap(({ before, after, statements }) =>
    statements.flatMap(({ questionId, position, text }) => {
      const value = answers[position - 1] ?? null;
      if (value === null) return [];
      const statement = `${before} ${text}${after}`.trim();
      // With its type name: creating so many messages through their schema takes far longer.
      return [
        {
          $typeName: "assessment.v1.HeldAnswer" as const,
          questionId,
          statement,
          value,
          label: labels.get(value) ?? "",
        },
      ];
    }),
  );
  return { statementLanguage: wording.language, answers: asked };
}

function toArrivals({ arrivals }: StoredSession) {
  if (arrivals === null) return {};
  const { firstAnswerAt, lastAnswerAt, ...counts } = arrivals;
  return {
    arrivals: { firstAnswerAt: toTimestamp(firstAnswerAt), lastAnswerAt: toTimestamp(lastAnswerAt), ...counts },
  };
}

function toNormCounting({ isCounted, contributes, retestOf }: NormRole) {
  return { counted: isCounted, contributes, retestOf: retestOf ?? undefined };
}

function toAccesses(record: SubjectRecord) {
  const access = (door: PersonDoor) => (each: { readonly createdAt: Date; readonly expiresAt: Date }) => ({
    door,
    createdAt: toTimestamp(each.createdAt),
    expiresAt: toTimestamp(each.expiresAt),
  });
  const [hosted, report] = [access(PersonDoor.HOSTED), access(PersonDoor.REPORT)];
  return {
    links: [
      ...record.hostedLinks.map(hosted),
      ...record.reportLinks.map((link) => ({
        ...report(link),
        locale: link.locale ?? undefined,
        name: link.name ?? undefined,
        date: link.date ?? undefined,
        timeZone: link.timeZone ?? undefined,
      })),
    ],
    visits: [...record.hostedBrowserSessions.map(hosted), ...record.reportBrowserSessions.map(report)],
    reportViews: record.reportViews.map(({ viewedAt, isByLink }) => ({
      viewedAt: toTimestamp(viewedAt),
      byLink: isByLink,
    })),
    hasEarlierReportViews: record.hasEarlierReportViews,
  };
}
