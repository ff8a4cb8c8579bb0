// The results of a session as callers read them, with their derivation and quality, from its stored answers and its own
// assessment version.
import { type PublishedAssessment, wordingFor } from "../../domain/assessments/published-assessment.ts";
import { wholeSheet } from "../../domain/sessions/answers.ts";
import type { AnsweredSession } from "../../domain/sessions/session.ts";
import type { Deadline } from "../../kernel/environment.ts";
import type { ProductMessages, Quality, Results, ResultsExplanation } from "../../products/product.ts";
import type { Needs } from "../dependencies.ts";
import { type Comparison, findComparison, type NormsDeps } from "../norms/norms.ts";
import { type FoundSession, requireAnswers, resultsOf } from "./sessions.ts";

/** The results of a session, their derivation, and the session that they belong to. */
export interface ExplainedSession extends FoundSession {
  readonly results: Results;
  readonly explanation: ResultsExplanation;
}

/**
 * The results of a session and their derivation; throws `not_found` until it is scored, and once answers or results
 * are deleted.
 * Results that scoring would not reproduce are reported as a defect.
 */
export function explain(
  deps: Needs<"catalogue" | "reportDefect">,
  { session, assessment }: FoundSession,
): ExplainedSession {
  const results = resultsOf(deps, session);
  requireAnswers(session);
  const explanation = assessment.explain(session.answers, results);
  if (!explanation.explainsResults) {
    deps.reportDefect(new Error(`session ${session.id} would be scored otherwise today`), "explanation");
  }
  return { results, explanation, session, assessment };
}

/** What comparing with norms needs, in addition to sessions. */
export type QualityDeps = Needs<"sessions" | "catalogue"> & NormsDeps;

/**
 * Quality and error of a session, and its place in norms if there are any; throws `not_found` once the
 * answers are deleted.
 */
export async function getQualityOf(
  deps: NormsDeps,
  { session, assessment }: FoundSession,
  deadline: Deadline,
): Promise<Quality> {
  requireAnswers(session);
  return qualityOf(session, assessment, () => findComparison(deps, session, deadline));
}

/** The same for a session that was read. @param findNorms that it can be compared with; called only if norms apply to it */
export async function qualityOf(
  session: AnsweredSession,
  assessment: PublishedAssessment,
  findNorms: () => Promise<Comparison | null>,
): Promise<Quality> {
  const answers = wholeSheet(session, assessment);
  const quality = assessment.quality().assess(answers, session.arrivals);
  const norms = quality.error === null ? null : await findNorms();
  if (norms === null) return quality;
  const { standings, ...about } = norms;
  return { ...quality, norms: { ...about, values: standings(answers) } };
}

/** The labels of the values and the archetype of results. @param locale requested; without it the session's own */
export function namesOf(
  messages: ProductMessages,
  results: Results,
  { session, assessment }: FoundSession,
  locale: string | undefined,
) {
  return messages.names(results, wordingFor(assessment, [locale, session.locale]));
}
