// The error of one session: how much other statements about the same values could have changed.
import jstat from "jstat";
import type { Answers } from "../scoring/cells.ts";
import { type Evaluation, evaluateScores, type ScoreEvaluation, scoreCells, toScores } from "../scoring/evaluate.ts";
import { at } from "../scoring/exact.ts";
import type { LifeContext } from "../scoring/model.ts";
import type { CompiledQuality } from "./compile.ts";
import type { SessionError, Stability, Variances } from "./quality.ts";
import type { EvaluatedAnswers } from "./read-answers.ts";
import { sumPairs, toGapErrors, toGapStandardError, toScoreErrors, toTotalGapError } from "./score-errors.ts";
import { computePooledVariance, computeStandardError, pool } from "./statistics.ts";

/** Estimates the error of a session. Unrounded. */
export function estimateError(compiled: CompiledQuality, session: EvaluatedAnswers): SessionError {
  const {
    scale: { span },
    isShort,
    minDf,
  } = compiled;
  const { valueIds } = compiled.scoring;
  const { answers, scores, scoredCells, cells, evaluation } = session;
  const { gaps, totalGap } = evaluation;
  const pairs = compiled.statements.map((valueStatements) => sumPairs(valueStatements, answers));
  // A short form has one variance for both lives.
  const bothLives = [...scoredCells.ideal, ...scoredCells.current];
  const variance: Variances = {
    ideal: computePooledVariance(pool(isShort ? bothLives : scoredCells.ideal), 1, minDf),
    current: computePooledVariance(pool(isShort ? bothLives : scoredCells.current), 1, minDf),
    gap: computePooledVariance(pool(pairs.filter((_, index) => at(gaps, index) !== null)), 2, minDf),
  };
  const readStandardErrors = (life: LifeContext) =>
    scores[life].map((score, index) => {
      const { variance: lifeVariance } = variance[life];
      if (score === null || lifeVariance === null) return null;
      return computeStandardError(lifeVariance, span, at(cells[life], index));
    });
  const scoreErrors = { ideal: readStandardErrors("ideal"), current: readStandardErrors("current") };
  const gapErrors = gaps.map((gap, index) => {
    const lifeErrors = { ideal: at(scoreErrors.ideal, index), current: at(scoreErrors.current, index) };
    return gap === null ? null : toGapStandardError(at(pairs, index), variance.gap.variance, lifeErrors, span);
  });
  const errors = {
    ideal: toScoreErrors(valueIds, scores.ideal, scoreErrors.ideal),
    current: toScoreErrors(valueIds, scores.current, scoreErrors.current),
    gap: toGapErrors(gaps, gapErrors, isShort ? variance.gap.df : null),
  };
  return {
    basis: "statements",
    variance,
    values: valueIds.map((valueId, index) => ({
      valueId,
      ideal: at(errors.ideal, index),
      current: at(errors.current, index),
      gap: at(errors.gap, index),
    })),
    totalGap: toTotalGapError(totalGap, gaps, gapErrors),
    stability: computeStability(compiled, answers, evaluation),
  };
}

const minReplicates = 3;

/**
 * Scores k times, each time without one statement of every value: without the first of each, then the second, in the order of
 * the definition. Standard errors are those of the grouped jackknife, `sqrt((k - 1) / k * sum (t - mean t)²)` of the unrounded
 * totals `t` (Efron and Tibshirani 1993); with k - 1 degrees of freedom they are too rough for an interval. Null unless all
 * values have the same number `k` of statements, 3 or more.
 */
function computeStability(
  { scoring, statements }: CompiledQuality,
  answers: Answers,
  { archetype: { archetypeId } }: Evaluation,
): Stability | null {
  const versions = at(statements, 0).length;
  if (versions < minReplicates || statements.some(({ length }) => length !== versions)) return null;
  const shorter = Array.from({ length: versions }, (_, place) => {
    const remaining = [...answers];
    for (const valueStatements of statements) {
      const { ideal, current } = at(valueStatements, place);
      remaining[ideal.position] = null;
      remaining[current.position] = null;
    }
    const cells = scoreCells(scoring, remaining);
    return evaluateScores(scoring, toScores(cells.ideal), toScores(cells.current));
  });
  const archetypes = shorter.map((version) => version.archetype.archetypeId);
  return {
    versions,
    archetypeId,
    sameArchetype: archetypes.filter((id) => id === archetypeId).length,
    archetypes,
    seTotalGap: computeJackknifeError(shorter.map(({ totalGap }) => totalGap?.total ?? null)),
    seHarmony: computeJackknifeError(shorter.map(({ harmony }) => harmony.total)),
    seConflict: computeJackknifeError(shorter.map(({ conflict }) => conflict.total)),
    seFocus: computeJackknifeError(shorter.map(computeFocus)),
  };
}

function computeFocus({ harmony, conflict }: ScoreEvaluation): number | null {
  return harmony.total === null || conflict.total === null ? null : harmony.total - conflict.total;
}

function computeJackknifeError(replicates: readonly (number | null)[]): number | null {
  const totals = replicates.filter((total) => total !== null);
  const versions = replicates.length;
  if (totals.length < versions) return null;
  return Math.sqrt(((versions - 1) / versions) * jstat.sumsqerr(totals));
}
