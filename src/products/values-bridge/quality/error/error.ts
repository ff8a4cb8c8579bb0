// The error of one session: what other statements on the same values could have changed.
import { at } from "../../scoring/exact.ts";
import type { LifeContext } from "../../scoring/model.ts";
import type { CompiledQuality } from "../compile.ts";
import type { SessionError, Variances } from "../quality.ts";
import { leastDf, pool } from "../samples.ts";
import type { ReadSession } from "../sheet.ts";
import { errorOfBoth, gapErrors, gapStandardError, sumPairs, totalGapError } from "./gaps.ts";
import { scoreErrors } from "./scores.ts";
import { stabilityOf } from "./stability.ts";
import { pooledVariance, standardError } from "./standard-error.ts";

/** Estimates the error of a session. Unrounded. */
export function estimateError(compiled: CompiledQuality, session: ReadSession): SessionError {
  const { span } = compiled.scale;
  const { valueIds } = compiled.scoring;
  const { answers, scores, scoredCells, sheet, evaluation } = session;
  const { gaps, totalGap } = evaluation;
  const pairs = compiled.statements.map((ofValue) => sumPairs(ofValue, answers));
  // A form too short for a variance of each life has a common one for both, and none of gaps.
  const isShort = compiled.statements.reduce((df, ofValue) => df + ofValue.length - 1, 0) < leastDf;
  const ofBoth = [...scoredCells.ideal, ...scoredCells.current];
  const variance: Variances = {
    ideal: pooledVariance(pool(isShort ? ofBoth : scoredCells.ideal), 1),
    current: pooledVariance(pool(isShort ? ofBoth : scoredCells.current), 1),
    gap: pooledVariance(pool(pairs.filter((_, index) => at(gaps, index) !== null)), 2),
  };
  const standardErrorsOf = (life: LifeContext) =>
    scores[life].map((score, index) => {
      const { variance: ofLife } = variance[life];
      return score === null || ofLife === null ? null : standardError(ofLife, span, at(sheet.cells[life], index));
    });
  const ofScores = { ideal: standardErrorsOf("ideal"), current: standardErrorsOf("current") };
  const ofGaps = gaps.map((gap, index) => {
    const scoreErrorsOfValue = { ideal: at(ofScores.ideal, index), current: at(ofScores.current, index) };
    if (gap === null) return null;
    if (isShort) return errorOfBoth(scoreErrorsOfValue);
    return gapStandardError(at(pairs, index), variance.gap.variance, scoreErrorsOfValue, span);
  });
  const ideal = scoreErrors(valueIds, scores.ideal, ofScores.ideal);
  const current = scoreErrors(valueIds, scores.current, ofScores.current);
  const byGap = gapErrors(gaps, ofGaps);
  return {
    basis: "statements",
    variance,
    values: valueIds.map((valueId, index) => ({
      valueId,
      ideal: at(ideal, index),
      current: at(current, index),
      gap: at(byGap, index),
    })),
    totalGap: totalGapError(totalGap, gaps, ofGaps),
    stability: stabilityOf(compiled, answers, evaluation),
  };
}
