// Explanations: how the results of a session came about, from its stored answers and its own assessment version.
import { isDeepStrictEqual } from "node:util";
import type { Explanation } from "../../values-bridge/scoring/explanation.ts";
import type { Results } from "../../values-bridge/scoring/results.ts";
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import type { Deadline } from "../environment.ts";
import type { AnswerSheet } from "../ports/sessions.ts";
import { getSession, getSessionResults, type SessionAddress, type SessionDeps } from "./sessions.ts";

/** An explanation that says whether it is one of the results it comes with. */
export interface ResultsExplanation extends Explanation {
  /**
   * Whether scoring the answers again gives exactly those results. False only where a release stored them that scored
   * otherwise: results never change, so the explanation is of what this release makes of the same answers.
   */
  readonly explainsResults: boolean;
}

/** Explains the results of answers. */
export function explainResults(
  { scorer }: PublishedAssessment,
  answers: AnswerSheet,
  results: Results,
): ResultsExplanation {
  return { explainsResults: isDeepStrictEqual(scorer.score(answers), results), ...scorer.explain(answers) };
}

/**
 * The results of a session and how they came about; throws `not_found` until it is scored.
 * Results that scoring would not give again are reported as a defect.
 */
export async function getExplainedResults(
  deps: Pick<SessionDeps, "sessions" | "catalogue" | "reportDefect">,
  address: SessionAddress,
  deadline: Deadline,
): Promise<{ results: Results; explanation: ResultsExplanation }> {
  const results = await getSessionResults(deps, address, deadline);
  const { session, assessment } = await getSession(deps, address, deadline);
  const explanation = explainResults(assessment, session.answers, results);
  if (!explanation.explainsResults) {
    deps.reportDefect(new Error(`session ${session.id} would be scored otherwise today`), "explanation");
  }
  return { results, explanation };
}
