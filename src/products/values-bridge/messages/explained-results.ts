// An explanation beside stored results: whether it is one of them.
import { isDeepStrictEqual } from "node:util";
import type { Answers } from "../scoring/cells.ts";
import type { Explanation } from "../scoring/explain.ts";
import type { Results, Scorer } from "../scoring/score.ts";

/** An explanation that says whether it is one of the results it comes with. */
export interface ResultsExplanation extends Explanation {
  /**
   * Whether scoring the answers again gives exactly those results. False only where a release stored them that scored
   * otherwise: results never change, so the explanation is of what this release makes of the same answers.
   */
  readonly explainsResults: boolean;
}

/** Explains the results of answers. */
export function explainResults(scorer: Scorer, answers: Answers, results: Results): ResultsExplanation {
  return { explainsResults: isDeepStrictEqual(scorer.score(answers), results), ...scorer.explain(answers) };
}
