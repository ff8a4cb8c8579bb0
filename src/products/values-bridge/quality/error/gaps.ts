// The error of the gaps between the two lives, and of their total.

import { at } from "../../scoring/exact.ts";
import { type Answers, answerTo, keyedAnswer } from "../../scoring/formulas/cells.ts";
import type { Gap, TotalGap } from "../../scoring/formulas/gaps.ts";
import type { LifeContext } from "../../scoring/model.ts";
import type { Statement } from "../compile.ts";
import type { GapError, TotalGapError } from "../quality.ts";
import type { Sample } from "../samples.ts";
import { certaintyOf } from "./certainty.ts";
import { standardError, type Weights } from "./standard-error.ts";

/**
 * Standard error of the gap of one value, in points. Where exactly the same statements are answered in both lives, how
 * attractive each of them is cancels out, and the variance of the differences counts. Else the errors of both scores do.
 * @param variance of the differences, in squared scale points; null if there is none
 * @param scoreErrors of the value's scores in the two lives
 */
export function gapStandardError(
  pairs: PairSums,
  variance: number | null,
  scoreErrors: Readonly<Record<LifeContext, number | null>>,
  span: number,
): number | null {
  if (pairs.isWhole) return variance === null ? null : standardError(variance, span, pairs);
  return errorOfBoth(scoreErrors);
}

/** The standard error of a difference of two scores whose errors have nothing to do with each other. */
export function errorOfBoth({ ideal, current }: Readonly<Record<LifeContext, number | null>>): number | null {
  return ideal === null || current === null ? null : Math.hypot(ideal, current);
}

/** The gaps with their errors; null if a value has none. Both lists are in the same order. */
export function gapErrors(
  gaps: readonly (Gap | null)[],
  standardErrors: readonly (number | null)[],
): (GapError | null)[] {
  const count = gaps.filter((gap) => gap !== null).length;
  return gaps.map((gap, index) => {
    if (gap === null) return null;
    const error = at(standardErrors, index);
    const certainty = error === null ? null : certaintyOf(gap.gap / error, count);
    return { reported: gap.reported, standardError: error, certainty };
  });
}

/** The pairs of one value that are answered in both lives: a sample of ideal minus current keyed points. */
export interface PairSums extends Sample, Weights {
  /** Whether exactly the same statements are answered in both lives. */
  readonly isWhole: boolean;
}

/** Sums up the pairs of one value. */
export function sumPairs(statements: readonly Statement[], answers: Answers): PairSums {
  let count = 0;
  let sum = 0;
  let squares = 0;
  let weight = 0;
  let squaredWeight = 0;
  let isWhole = true;
  for (const { ideal, current } of statements) {
    const wanted = answerTo(ideal, answers);
    const lived = answerTo(current, answers);
    if (wanted === null || lived === null) {
      if (wanted !== lived) isWhole = false;
      continue;
    }
    const difference = keyedAnswer(ideal, wanted) - keyedAnswer(current, lived);
    count += 1;
    sum += difference;
    squares += difference * difference;
    weight += ideal.weight;
    squaredWeight += ideal.weight * ideal.weight;
  }
  return { count, sum, squares, weight, squaredWeight, isWhole };
}

/** One-sided 5 %. */
const clear = 1.645;

/**
 * The total that noise alone would give. A mean of absolute values is biased upwards: each gap without a real
 * difference still has the size of a half-normal, whose mean is `sqrt(2/pi) SE` and variance `(1 - 2/pi) SE²`.
 * Null if there is no gap, or if a gap has no standard error.
 * @param gaps null if a value has none
 * @param standardErrors of the gaps, in the same order and in points
 */
export function totalGapError(
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
