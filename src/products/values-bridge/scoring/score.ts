// Entry point of scoring: creates a scorer from a model. Results have the names of REST.

import type { Answers } from "./cells.ts";
import { type CompiledModel, compileModel, type Evaluation, evaluate } from "./evaluate.ts";
import { at } from "./exact.ts";
import { toExplanation } from "./explain.ts";
import type { ScoringModel } from "./model.ts";
import type { Explanation, Results } from "./shapes.ts";

type ValueResult = Results["values"][number];

/** Scores answers by one assessment version. */
export type Scorer = ReturnType<typeof compileScoring>;

/**
 * Prepares a scorer, to be kept. Both functions are pure: the same answers give the same numbers, bit for bit, in every process.
 * They throw RangeError for another number of answers than questions, and for one that is not a number within its range.
 * @param model checked; the order of its questions has no influence on results
 */
export function compileScoring(model: ScoringModel) {
  const compiled = compileModel(model);
  return {
    /** The results, rounded and in the order of the contract. */
    score: (answers: Answers): Results => toResults(compiled, evaluate(compiled, answers)),
    /** The computation of these results, with every number needed to recompute them. */
    explain: (answers: Answers): Explanation => toExplanation(compiled, evaluate(compiled, answers), answers),
  };
}

/** The results of an evaluation. */
function toResults(compiled: CompiledModel, evaluation: Evaluation): Results {
  const { ideal, current, gaps, pairings } = evaluation;
  const values = compiled.valueIds.map((valueId, index): ValueResult => {
    const idealRank = at(ideal.ranks, index);
    const currentRank = at(current.ranks, index);
    return {
      valueId,
      idealDisplayRank: idealRank.displayRank,
      idealRankTier: idealRank.tier,
      currentDisplayRank: currentRank.displayRank,
      currentRankTier: currentRank.tier,
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
    values: values.sort(compareIdealRank),
    pairings: pairings.map(({ valuePairingId, reported }) => ({ valuePairingId, scaledScore: reported })),
  };
}

/** Unranked values last; among them by current rank, then by id. */
function compareIdealRank(a: ValueResult, b: ValueResult): number {
  const last = Number.MAX_SAFE_INTEGER;
  return (
    (a.idealDisplayRank ?? last) - (b.idealDisplayRank ?? last) ||
    (a.currentDisplayRank ?? last) - (b.currentDisplayRank ?? last) ||
    a.valueId - b.valueId
  );
}
