// Explanations: how the results of a session came about, from its stored answers and its own assessment version.

import type { Deadline } from "../../kernel/environment.ts";
import type { Results, ResultsExplanation } from "../../products/product.ts";
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
