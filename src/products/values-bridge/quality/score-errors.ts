// The errors of scores, of gaps, and of the total gap.
import { type Answers, type Item, readAnswer } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import type { LifeContext } from "../scoring/model.ts";
import type { Gap, TotalGap } from "../scoring/totals.ts";
import type { Statement } from "./compile.ts";
import type { GapError, ScoreError, TotalGapError } from "./quality.ts";
import { listWeightedPoints, measurePoints } from "./read-answers.ts";
import {
  centreScores,
  computeStandardError,
  findCriticalT,
  findCriticalValue,
  toCertainty,
  toWeightedSample,
  type WeightedSample,
  z95,
} from "./statistics.ts";

/**
 * The scores of one life with their errors; null if a value is not scored. Unrounded.
 * @param valueIds ascending
 * @param scores exact, 0..1, in the order of the ids; null if a value is not scored
 * @param standardErrors in points of 0..100; null if there is none
 */
export function toScoreErrors(
  valueIds: readonly number[],
  scores: readonly (number | null)[],
  standardErrors: readonly (number | null)[],
): (ScoreError | null)[] {
  const centred = centreScores(scores);
  const count = scores.filter((score) => score !== null).length;
  const withErrors = scores.map((score, index) => {
    const error = at(standardErrors, index);
    return score === null || error === null ? null : { score: 100 * score, standardError: error };
  });
  const ranges = computeRankRanges(withErrors, count);
  return scores.map((exact, index): ScoreError | null => {
    if (exact === null) return null;
    const error = at(standardErrors, index);
    return {
      score: 100 * exact,
      centred: centred?.[index] ?? null,
      standardError: error,
      interval: error === null ? null : toInterval(100 * exact, error),
      rankRange: at(ranges, index),
      tiedWith: valueIds.filter((_, other) => other !== index && scores[other] === exact),
    };
  });
}

function toInterval(score: number, error: number): [number, number] {
  return [Math.max(0, score - z95 * error), Math.min(100, score + z95 * error)];
}

/** One-sided 5 %, in standard errors: from here on, scores are clearly different, and totals above noise. */
const clear = 1.645;

/** A score in points of 0..100, with its standard error in the same points. */
export interface ScoreWithError {
  readonly score: number;
  readonly standardError: number;
}

/**
 * The best and the worst rank of each score within its error, 1 the best: `1 + number of values clearly higher` to
 * `n - number clearly lower`. Each range holds for one value; all of them together do not.
 * @param scores null without a score or a standard error: then there is no range
 * @param scoredCount number of values with a score
 */
export function computeRankRanges(
  scores: readonly (ScoreWithError | null)[],
  scoredCount: number,
): ([best: number, worst: number] | null)[] {
  return scores.map((one) => {
    if (one === null) return null;
    /** How many scores are clearly beyond this one. @param sign 1: higher; -1: lower */
    const beyond = (sign: 1 | -1) =>
      scores.filter((other) => {
        if (other === null) return false;
        const bound = clear * Math.sqrt(one.standardError ** 2 + other.standardError ** 2);
        return sign * (other.score - one.score) > bound;
      }).length;
    return [1 + beyond(1), scoredCount - beyond(-1)];
  });
}

/**
 * Standard error of the gap of one value, in points. If the same statements are answered in both lives, how attractive they are
 * cancels out, and the variance of the differences counts; else the errors of both scores.
 * @param variance of the differences, in squared scale points; null if there is none
 * @param lifeErrors of the value's scores in the two lives
 */
export function toGapStandardError(
  pairs: PairSums,
  variance: number | null,
  lifeErrors: Readonly<Record<LifeContext, number | null>>,
  span: number,
): number | null {
  if (pairs.isWhole) return variance === null ? null : computeStandardError(variance, span, pairs);
  const { ideal, current } = lifeErrors;
  return ideal === null || current === null ? null : Math.hypot(ideal, current);
}

/**
 * The gaps with their errors; null if a value has none. Both lists are in the same order.
 * @param df few degrees of freedom, for Student's t; null: for the normal distribution
 */
export function toGapErrors(
  gaps: readonly (Gap | null)[],
  standardErrors: readonly (number | null)[],
  df: number | null,
): (GapError | null)[] {
  const count = gaps.filter((gap) => gap !== null).length;
  const critical = df === null || df < 1 ? findCriticalValue(count) : findCriticalT(df, count);
  return gaps.map((gap, index) => {
    if (gap === null) return null;
    const error = at(standardErrors, index);
    const certainty = error === null ? null : toCertainty(gap.gap / error, critical);
    return { reported: gap.reported, standardError: error, certainty };
  });
}

/** The pairs of one value that are answered in both lives: a sample of ideal minus current keyed points. */
export interface PairSums extends WeightedSample {
  /** Whether exactly the same statements are answered in both lives. */
  readonly isWhole: boolean;
}

/** Sums up the pairs of one value. */
export function sumPairs(statements: readonly Statement[], answers: Answers): PairSums {
  const isAnswered = (item: Item) => readAnswer(item, answers) !== null;
  const pairs = statements.flatMap((statement) =>
    listWeightedPoints(measurePoints("gap", statement, answers), statement.ideal),
  );
  const isWhole = statements.every(({ ideal, current }) => isAnswered(ideal) === isAnswered(current));
  return { ...toWeightedSample(pairs), isWhole };
}

/**
 * The total of gaps that are only noise. A mean of absolute values is biased upwards: without a real difference, the size of a
 * gap is half-normal, with the mean `sqrt(2/pi) SE` and the variance `(1 - 2/pi) SE²`. Null without gaps, or if one of them has
 * no standard error.
 * @param gaps null if a value has none
 * @param standardErrors of the gaps, in the same order and in points
 */
export function toTotalGapError(
  total: TotalGap | null,
  gaps: readonly (Gap | null)[],
  standardErrors: readonly (number | null)[],
): TotalGapError | null {
  if (total === null) return null;
  let sum = 0;
  let squares = 0;
  for (const [index, gap] of gaps.entries()) {
    if (gap === null) continue;
    const error = at(standardErrors, index);
    if (error === null) return null;
    sum += gap.weight * error;
    squares += (gap.weight * error) ** 2;
  }
  const noise = (Math.sqrt(2 / Math.PI) * sum) / total.weightSum;
  const noiseSd = (Math.sqrt(1 - 2 / Math.PI) * Math.sqrt(squares)) / total.weightSum;
  return { total: total.reported, noise, noiseSd, aboveNoise: total.total > noise + clear * noiseSd };
}
