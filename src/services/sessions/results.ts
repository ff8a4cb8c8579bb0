// The results of a session as callers read them, with their derivation and quality, from its stored answers and its own
// assessment version.
import { type PublishedAssessment, wordingFor } from "../../domain/assessments/published-assessment.ts";
import { wholeSheet } from "../../domain/sessions/answers.ts";
import type { AnsweredSession } from "../../domain/sessions/session.ts";
import type { Deadline } from "../../kernel/environment.ts";
import type { Quality, Results, ResultsExplanation } from "../../products/product.ts";
import type { Needs } from "../dependencies.ts";
import { type Comparison, findComparison, type NormsDeps } from "../norms/norms.ts";
import { type FoundSession, requireAnswers, resultsOf } from "./sessions.ts";

/** The results of a session, their derivation and quality, without norms, and the session that they belong to. */
export interface ExplainedSession extends FoundSession {
  readonly results: Results;
  readonly explanation: ResultsExplanation;
  readonly quality: Quality;
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
  const quality = assessAnswers({ session, assessment });
  const explanation = assessment.explain(session.answers, results, quality);
  if (!explanation.explainsResults) {
    deps.reportDefect(new Error(`session ${session.id} would be scored otherwise today`), "explanation");
  }
  return { results, explanation, quality, session, assessment };
}

/** What comparing with norms needs, in addition to sessions. */
export type QualityDeps = Needs<"sessions" | "catalogue"> & NormsDeps;

/**
 * Quality and error of a session, and its place in norms if there are any; throws `not_found` once the
 * answers are deleted.
 */
export async function getQualityOf(deps: NormsDeps, record: FoundSession, deadline: Deadline): Promise<Quality> {
  requireAnswers(record.session);
  return compareWithNorms(record, assessAnswers(record), () => findComparison(deps, record.session, deadline));
}

interface AnsweredVersion {
  readonly session: AnsweredSession;
  readonly assessment: PublishedAssessment;
}

/** Quality and error of the answers of a session, without norms. */
export function assessAnswers({ session, assessment }: AnsweredVersion): Quality {
  return assessment.quality().assess(wholeSheet(session, assessment), session.arrivals);
}

/** A quality with its place in norms. @param findNorms that it can be compared with; called only if norms apply to it */
export async function compareWithNorms(
  { session, assessment }: AnsweredVersion,
  quality: Quality,
  findNorms: () => Promise<Comparison | null>,
): Promise<Quality> {
  const { error } = quality;
  const norms = error === null ? null : await findNorms();
  if (error === null || norms === null) return quality;
  const { standings, ...about } = norms;
  return { ...quality, norms: { ...about, values: standings(wholeSheet(session, assessment), error) } };
}

/**
 * The names of the values of results, of their archetype, and of those that the answers lie between, while there are answers.
 * @param locale requested; without it the session's own
 */
export function namesOf(
  deps: Needs<"catalogue" | "reportDefect">,
  results: Results,
  record: FoundSession,
  locale: string | undefined,
) {
  const { session, assessment } = record;
  const explanation = session.answersDeletedAt === null ? explain(deps, record).explanation : null;
  const fit = explanation?.explainsResults === true ? explanation.archetype : null;
  return deps.catalogue.product.messages.names(results, wordingFor(assessment, [locale, session.locale]), fit);
}
