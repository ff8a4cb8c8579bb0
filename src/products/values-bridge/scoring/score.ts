// Entry point of scoring: a model in, a scorer out.

import { compileModel } from "./compile.ts";
import { evaluate } from "./evaluate.ts";
import { toExplanation } from "./explain.ts";
import type { Explanation } from "./explanation.ts";
import type { Answers } from "./formulas/cells.ts";
import type { ScoringModel } from "./model.ts";
import { toResults } from "./report.ts";
import type { Results } from "./results.ts";

/**
 * Scores answers against one assessment version. Both functions are pure: the same answers give the same numbers,
 * bit for bit, in every process. They take one entry for each of the model's questions, in the model's order, null
 * where a question is unanswered, and throw RangeError for another number of entries or for an answer that is not a
 * number within the question's range.
 */
export interface Scorer {
  /** The results, rounded and in the order of the contract. */
  score(answers: Answers): Results;
  /** How these results come about, with every number needed to recompute them. */
  explain(answers: Answers): Explanation;
}

/**
 * Prepares a scorer, which is worth keeping: all the work that does not depend on answers is done here.
 * @param model a checked model; the order of its questions has no influence on results
 */
export function compileScoring(model: ScoringModel): Scorer {
  const compiled = compileModel(model);
  return {
    score: (answers) => toResults(compiled, evaluate(compiled, answers)),
    explain: (answers) => toExplanation(compiled, evaluate(compiled, answers), answers),
  };
}
