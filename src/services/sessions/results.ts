// What the results of a session tell: how they came about, and what they are worth, from its stored answers and its own
// assessment version.
import { type PublishedAssessment, wordingFor } from "../../domain/assessments/published-assessment.ts";
import { wholeSheet } from "../../domain/sessions/answers.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import type { Deadline } from "../../kernel/environment.ts";
import type { ProductMessages, Quality, Results, ResultsExplanation } from "../../products/product.ts";
import { type Comparison, findComparison, type NormsDeps } from "../norms/norms.ts";
import {
  type FoundSession,
  getSession,
  getSessionResults,
  requireAnswers,
  type SessionAddress,
  type SessionDeps,
} from "./sessions.ts";

/** The results of a session, how they came about, and what they belong to. */
export interface ExplainedSession extends FoundSession {
  readonly results: Results;
  readonly explanation: ResultsExplanation;
}

/**
 * The results of a session and how they came about; throws `not_found` until it is scored, and once answers or results
 * are deleted.
 * Results that scoring would not give again are reported as a defect.
 */
export async function getExplainedResults(
  deps: Pick<SessionDeps, "sessions" | "catalogue" | "reportDefect">,
  address: SessionAddress,
  deadline: Deadline,
): Promise<ExplainedSession> {
  const results = await getSessionResults(deps, address, deadline);
  const { session, assessment } = await getSession(deps, address, deadline);
  requireAnswers(session);
  const explanation = assessment.explain(session.answers, results);
  if (!explanation.explainsResults) {
    deps.reportDefect(new Error(`session ${session.id} would be scored otherwise today`), "explanation");
  }
  return { results, explanation, session, assessment };
}

/** What telling of norms takes, besides sessions. */
export type QualityDeps = Pick<SessionDeps, "sessions" | "catalogue"> & NormsDeps;

/**
 * Quality and error of a session, and how it stands among others where norms are released; throws `not_found` once the
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

/** The same of a session that was read. @param findNorms that it can be compared with; asked if they say something of it */
export async function qualityOf(
  session: StoredSession,
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

/** What values and archetype of results are called. @param locale asked for; without it the session's own */
export function namesOf(
  messages: ProductMessages,
  results: Results,
  { session, assessment }: FoundSession,
  locale: string | undefined,
) {
  return messages.names(results, wordingFor(assessment, [locale, session.locale]));
}
