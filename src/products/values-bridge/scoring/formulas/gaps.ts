// How far the life a person has is from the life they want: one gap for each value, and their weighted mean.
import type { Round } from "../exact.ts";

/** The gap of one value that is scored in both contexts. */
export interface Gap {
  /** 100 times (ideal minus current), -100..100; positive: lived less than wanted. Unrounded. */
  readonly gap: number;
  /** The weight of the gap in the total: importanceFloor plus the ideal score. */
  readonly weight: number;
  /** The gap, rounded. */
  readonly reported: number;
}

/** The total gap and its two parts, 0..100: `total = weightedSum / weightSum = short + over`. */
export interface TotalGap {
  /** Number of values that have a gap. */
  readonly values: number;
  /** Sum of the weights, and of weight times size of the gap. */
  readonly weightSum: number;
  readonly weightedSum: number;
  readonly total: number;
  /** The part from values lived less than wanted. */
  readonly short: number;
  /** The part from values lived more than wanted. */
  readonly over: number;
  /** The total, rounded. */
  readonly reported: number;
}

/** The gap between two scores of 0..1; null if either is missing. */
export function gapBetween(
  ideal: number | null,
  current: number | null,
  importanceFloor: number,
  round: Round,
): Gap | null {
  if (ideal === null || current === null) return null;
  const gap = 100 * (ideal - current);
  return { gap, weight: importanceFloor + ideal, reported: round(gap) };
}

/**
 * The mean size of the gaps, weighted by importance: missing a strongly wanted value costs most, yet over-living
 * an unwanted one counts too. Null if there is no gap.
 * @param gaps in ascending value id
 */
export function totalGap(gaps: readonly (Gap | null)[], round: Round): TotalGap | null {
  let values = 0;
  let weightSum = 0;
  let weightedSum = 0;
  let shortSum = 0;
  let overSum = 0;
  for (const entry of gaps) {
    if (entry === null) continue;
    const { gap, weight } = entry;
    values += 1;
    weightSum += weight;
    weightedSum += weight * Math.abs(gap);
    shortSum += weight * Math.max(gap, 0);
    overSum += weight * Math.max(-gap, 0);
  }
  if (values === 0) return null;
  const total = weightedSum / weightSum;
  return {
    values,
    weightSum,
    weightedSum,
    total,
    short: shortSum / weightSum,
    over: overSum / weightSum,
    reported: round(total),
  };
}
