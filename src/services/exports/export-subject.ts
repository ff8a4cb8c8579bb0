// Everything stored about a person: what they may ask their partner for.

import { setImmediate as yieldToCalls } from "node:timers/promises";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { toSubject } from "../../domain/identifiers.ts";
import { hasAnswer } from "../../domain/sessions/answers.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import type { ExportSubjectRequest } from "../../gen/assessment/v1/export_service_pb.ts";
import { HeldSessionSchema } from "../../gen/assessment/v1/held_session_pb.ts";
import { fromModel } from "../../json/messages.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { notFoundError } from "../../kernel/errors/refusal.ts";
import type { SessionCall } from "../../pipeline/call.ts";
import type { Dependencies } from "../dependencies.ts";
import { type Comparison, findComparison } from "../norms/norms.ts";
import { assessAnswers, compareWithNorms } from "../sessions/results.ts";
import { describeHead } from "../sessions/sessions.ts";
import { readExportPage } from "./export-page.ts";

export const defaultSubjectPageSize = 10;
/** Most views of a report that are listed for a session. */
const maxViews = 1000;

const toHeldSession = fromModel(HeldSessionSchema);

/** A page of everything that is stored about a person in a product. Throws `not_found` and `invalid_request`. */
export async function exportSubject(
  deps: Dependencies,
  { product, externalId, after, pageSize }: ExportSubjectRequest,
  call: SessionCall,
) {
  const { subjectRecords, catalogue } = deps;
  const { partnerId, signal } = call;
  const person = { partnerId, externalId };
  await catalogue.getPublished(product);
  const size = pageSize || defaultSubjectPageSize;
  const findCachedComparison = cacheComparisons(deps, call);
  const readRows = async function* (start: string) {
    const records = await subjectRecords.listSubjectRecords(person, start, size, maxViews, signal);
    for (const { session, ...parts } of records) {
      await yieldToCalls();
      const assessment = await catalogue.getById(session.assessmentId);
      const message =
        assessment.product === product
          ? toHeldSession({
              ...describeHead({ session, assessment }, call.now()),
              ...toAnswers(session, assessment),
              ...parts,
              ...(await toDerivedData(deps, session, assessment, findCachedComparison)),
            })
          : undefined;
      yield [session.id, message] as const;
    }
  };
  const page = await readExportPage(deps, HeldSessionSchema, after, size, readRows);
  if (page.sessions.length === 0 && page.atEnd && after === "") throw notFoundError();
  return { subject: toSubject(partnerId, externalId), ...page };
}

/** Data that is derived from the answers, while they exist. */
async function toDerivedData(
  { catalogue }: Dependencies,
  session: StoredSession,
  assessment: PublishedAssessment,
  findCachedComparison: ReturnType<typeof cacheComparisons>,
) {
  if (session.results === null) return { results: null };
  const { messages, results: codec } = catalogue.product;
  const results = codec.decode(session.results);
  if (!hasAnswer(session.answers)) return { results: messages.toResults(results) };
  const quality = assessAnswers({ session, assessment });
  return {
    results: messages.toResults(results),
    explanation: messages.toExplanation(assessment.explain(session.answers, results, quality)),
    quality: messages.toQuality(
      compareWithNorms({ session, assessment }, quality, quality.error && (await findCachedComparison(session))),
    ),
  };
}

function toAnswers({ answers, shownLanguage }: StoredSession, { wordings }: PublishedAssessment) {
  const wording = wordings.find(({ language }) => language === shownLanguage) ?? wordings[0];
  if (wording === undefined) throw new Error("an assessment without wording");
  const labels = new Map(wording.choices.map(({ id, label }) => [id, label]));
  const answeredStatements = wording.sections.flatMap(({ before, after, statements }) =>
    statements.flatMap(({ questionId, position, text }) => {
      const value = answers[position - 1] ?? null;
      if (value === null) return [];
      const statement = `${before} ${text}${after}`.trim();
      return [{ questionId, statement, value, label: labels.get(value) ?? "" }];
    }),
  );
  return { statementLanguage: wording.language, answers: answeredStatements };
}

/** Finds the norms that sessions of a page are compared with, each once. */
function cacheComparisons(deps: Dependencies, deadline: Deadline) {
  const byKey = new Map<string, Promise<Comparison | null>>();
  return (session: StoredSession): Promise<Comparison | null> => {
    const key = `${session.assessmentId} ${session.shownLanguage}`;
    const comparison = byKey.get(key) ?? findComparison(deps, session, deadline);
    byKey.set(key, comparison);
    return comparison;
  };
}
