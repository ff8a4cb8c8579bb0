// Entry point of scoring: creates a scorer from a model.
import { type CompiledModel, compileModel } from "./compile.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import { at } from "./exact.ts";
import { toExplanation } from "./explain.ts";
import type { Explanation } from "./explanation.ts";
import type { Answers } from "./formulas/cells.ts";
import type { ScoringModel } from "./model.ts";
import type { PairingResult, Results, ValueResult } from "./results.ts";

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
 * Prepares a scorer. Keep it: all the work that does not depend on answers is done here.
 * @param model a checked model; the order of its questions has no influence on results
 */
export function compileScoring(model: ScoringModel): Scorer {
  const compiled = compileModel(model);
  return {
    score: (answers) => toResults(compiled, evaluate(compiled, answers)),
    explain: (answers) => toExplanation(compiled, evaluate(compiled, answers), answers),
  };
}

/** The results of an evaluation. */
function toResults(compiled: CompiledModel, evaluation: Evaluation): Results {
  const { ideal, current, gaps, pairings } = evaluation;
  const values = compiled.valueIds.map((valueId, index): ValueResult => {
    const wanted = at(ideal.ranks, index);
    const lived = at(current.ranks, index);
    return {
      valueId,
      idealDisplayRank: wanted.displayRank,
      idealRankTier: wanted.tier,
      currentDisplayRank: lived.displayRank,
      currentRankTier: lived.tier,
      authenticityGapScaled: at(gaps, index)?.reported ?? null,
    };
  });
  return {
    overall: {
      archetypeId: evaluation.archetype.archetypeId,
      totalAuthenticityGapScaled: evaluation.totalGap?.reported ?? null,
      totalConflictScoreScaled: evaluation.conflict.reported,
      totalHarmonyScoreScaled: evaluation.harmony.reported,
    },
    values: values.sort(byIdealRank),
    pairings: pairings.map(
      ({ pairing, reported }): PairingResult => ({ valuePairingId: pairing.id, scaledScore: reported }),
    ),
  };
}

/** Unranked values last; among them by current rank, then by id. */
function byIdealRank(a: ValueResult, b: ValueResult): number {
  return (
    compareRanks(a.idealDisplayRank, b.idealDisplayRank) ||
    compareRanks(a.currentDisplayRank, b.currentDisplayRank) ||
    a.valueId - b.valueId
  );
}

function compareRanks(a: number | null, b: number | null): number {
  if (a === null) return b === null ? 0 : 1;
  return b === null ? -1 : a - b;
}
