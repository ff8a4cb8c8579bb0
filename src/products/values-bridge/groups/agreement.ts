// Agreement of the members of a group, by the formulas of R's package `multilevel` (Bliese 2000).
import jstat from "jstat";
import { average, findCriticalValue } from "../quality/statistics.ts";
import { addUp } from "../scoring/exact.ts";

/** Mean and variance (n - 1) of two numbers or more. */
export function computeMoments(members: readonly number[]): { readonly mean: number; readonly variance: number } {
  return { mean: average(members), variance: jstat.sumsqerr(members) / (members.length - 1) };
}

/**
 * r_wg (James, Demaree and Wolf 1984), 0..1: 1 minus the ratio of the members' variance (n - 1) to that of a uniform distribution
 * over the range of the scale; not below 0.
 * @param range greatest minus least possible number
 */
export function computeRwg(variance: number, range: number): number {
  return Math.max(0, 1 - variance / (range ** 2 / 12));
}

/**
 * Half of the width of the 95 % interval of a rounded mean of n, by Student's t, with a uniform error of rounding (Sheppard
 * 1898).
 * @param t `findCriticalT(n - 1)`
 * @param roundings widths of the roundings in the mean
 */
export function computeMeanHalfWidth(variance: number, n: number, t: number, roundings: readonly number[]): number {
  const rounding = addUp(roundings.map((width) => width ** 2 / 12));
  return t * Math.sqrt(variance / n + rounding);
}

/**
 * The range by chance of a variance of n members, as a share of the true one: two-sided at 5 % divided by the number of tests
 * (Bonferroni), by chi-square as Wilson and Hilferty (1931) approximate it.
 */
export function computeVarianceRange(n: number, tests: number): readonly [low: number, high: number] {
  const spread = 2 / (9 * (n - 1));
  const half = findCriticalValue(tests) * Math.sqrt(spread);
  return [Math.max(0, 1 - spread - half) ** 3, (1 - spread + half) ** 3];
}
