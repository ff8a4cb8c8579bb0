// All that is held of a session as a message.

import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import { type HeldSession, HeldSessionSchema, PersonDoor } from "../../gen/assessment/v1/held_session_pb.ts";
import { messageOf } from "../../kernel/json/message-of.ts";
import { stateOf } from "../../kernel/session-states.ts";
import type { ProductMessages } from "../../products/product.ts";
import type { SubjectRecord } from "../../store/exports/subject-record-store.ts";
import type { ExportedSubjectRecord } from "./export-subject.ts";

const toHeldSession = messageOf(HeldSessionSchema);

/** A session with all that is held with it. @param now milliseconds since 1970 */
export function toSubjectRecordMessage(
  { record, assessment, results, insight, normRole }: ExportedSubjectRecord,
  now: number,
  messages: ProductMessages,
): HeldSession {
  const { session, membership } = record;
  const { isCounted, contributes, retestOf } = normRole;
  const held = toHeldSession({
    ...session,
    sessionId: session.id,
    assessmentVersion: assessment.version,
    status: stateOf(session, now),
    ...toAnswers(session, assessment),
    normCounting: session.completedAt && { counted: isCounted, contributes, retestOf },
    ...toAccesses(record),
    intention: record.intention,
    group: membership && { ...membership, counted: membership.isCounted },
  });
  return {
    ...held,
    results: results === null ? undefined : messages.results(results),
    explanation: insight === null ? undefined : messages.explanation(insight.explanation),
    quality: insight === null ? undefined : messages.quality(insight.quality),
  };
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
      return [{ questionId, statement, value, label: labels.get(value) ?? "" }];
    }),
  );
  return { statementLanguage: wording.language, answers: asked };
}

function toAccesses({
  hostedLinks,
  reportLinks,
  hostedBrowserSessions,
  reportBrowserSessions,
  ...record
}: SubjectRecord) {
  const [hosted, report] = [{ door: PersonDoor.HOSTED }, { door: PersonDoor.REPORT }];
  return {
    links: [
      ...hostedLinks.map((link) => ({ ...hosted, ...link })),
      ...reportLinks.map((link) => ({ ...report, ...link })),
    ],
    visits: [
      ...hostedBrowserSessions.map((visit) => ({ ...hosted, ...visit })),
      ...reportBrowserSessions.map((visit) => ({ ...report, ...visit })),
    ],
    reportViews: record.reportViews.map(({ viewedAt, isByLink }) => ({ viewedAt, byLink: isByLink })),
    hasEarlierReportViews: record.hasEarlierReportViews,
  };
}
