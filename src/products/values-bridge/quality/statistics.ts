// Small samples by their sums, standard errors of their means, and tests of differences.
import jstat from "jstat";
import { addUp } from "../scoring/exact.ts";
import type { Certainty, PooledVariance } from "./quality.ts";

/** Least number of cells for a correlation or a mean. */
export const minCells = 10;

/** Least number of degrees of freedom for a variance. */
export const minDf = 30;

/** The same for a form that has fewer in one life. */
export const minDfShortForm = 15;

/** A sample by its number of members, their sum and the sum of their squares. */
export interface Sample {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

/** The sample of some numbers. */
export function toSample(members: readonly number[]): Sample {
  let sum = 0;
  let squares = 0;
  for (const member of members) {
    sum += member;
    squares += member * member;
  }
  return { count: members.length, sum, squares };
}

/** A sample of keyed points, or of differences of them, whose members have integer weights. */
export interface WeightedSample extends Sample {
  /** Sum of weights, and of their squares. */
  readonly weight: number;
  readonly squaredWeight: number;
  /** Sum of weight times member. */
  readonly weighted: number;
}

export interface WeightedPoints {
  readonly points: number;
  readonly weight: number;
}

/** The sample of some weighted points. */
export function toWeightedSample(members: readonly WeightedPoints[]): WeightedSample {
  let [weight, squaredWeight, weighted] = [0, 0, 0];
  for (const member of members) {
    weight += member.weight;
    squaredWeight += member.weight * member.weight;
    weighted += member.weight * member.points;
  }
  return { ...toSample(members.map(({ points }) => points)), weight, squaredWeight, weighted };
}

/** Sum of squared deviations from the mean of a sample that is not empty. */
export function computeSquaredDeviations({ count, sum, squares }: Sample): number {
  return (count * squares - sum * sum) / count;
}

/** Squared deviations within samples, added up, and their degrees of freedom. */
export interface PooledSums {
  readonly df: number;
  readonly squaredDeviations: number;
}

/** Pools the deviations of samples from their own means; an empty sample adds nothing. */
export function poolDeviations(samples: readonly Sample[]): PooledSums {
  let df = 0;
  let total = 0;
  for (const sample of samples) {
    if (sample.count === 0) continue;
    df += sample.count - 1;
    total += computeSquaredDeviations(sample);
  }
  return { df, squaredDeviations: total };
}

/** The mean of a list that is not empty. */
export function average(members: readonly number[]): number {
  return addUp(members) / members.length;
}

/**
 * Scores of one life in points, less their mean; null with fewer than 10 of them.
 * @param scores exact, 0 to 1
 */
export function centreScores(scores: readonly (number | null)[]): (number | null)[] | null {
  const presentScores = scores.filter((score) => score !== null);
  if (presentScores.length < minCells) return null;
  const mean = average(presentScores);
  return scores.map((score) => (score === null ? null : 100 * (score - mean)));
}

/** True if all members are equal; by sums of doubles, their variance would be just above 0. */
export function isConstant(members: readonly number[]): boolean {
  return members.every((member) => member === members[0]);
}

/**
 * Standard error of a weighted mean of keyed points, in points of 0..100: `(100 / span) sqrt(variance * sum W²) / sum W`, the
 * conditional absolute standard error of generalizability theory for a within-person design (Brennan 1998).
 * @param variance of one statement, in squared scale points
 * @param span `max - min` of the rating scale
 * @param weights of the answered statements, not empty
 */
export function computeStandardError(
  variance: number,
  span: number,
  { weight, squaredWeight }: Pick<WeightedSample, "weight" | "squaredWeight">,
): number {
  return ((100 / span) * Math.sqrt(variance * squaredWeight)) / weight;
}

/** The variance of rounding a rating to a whole number, 1/12 of a squared scale point. */
const roundingVariance = 1 / 12;

/**
 * The pooled variance, at least that of rounding: perfect agreement is no proof of precision. Null below `least` degrees of
 * freedom.
 * @param ratings number of ratings, each rounded once, in one member of the samples
 */
export function computePooledVariance(
  { df, squaredDeviations }: PooledSums,
  ratings: number,
  least: number,
): PooledVariance {
  if (df < least) return { df, variance: null };
  return { df, variance: Math.max(ratings * roundingVariance, squaredDeviations / df) };
}

/** Two-sided 95 % of a single normal variable, in standard errors. */
export const z95 = 1.96;

/** The certainty of a difference at 5 %. @param index in standard errors @param critical least size of a `joint` one */
export function toCertainty(index: number, critical: number): Certainty {
  const size = Math.abs(index);
  if (size >= critical) return "joint";
  return size >= z95 ? "single" : "none";
}

/**
 * The quantile `z` of the standard normal distribution at `1 - 0.025 / tests`: a two-sided test at 5 %, divided by the
 * number of tests (Bonferroni).
 * @param tests 1 to 10,000: relative error below 1e-13
 */
export function findCriticalValue(tests: number): number {
  return -jstat.normal.inv(0.025 / tests, 0, 1);
}

/** The same quantile of Student's t, for estimated standard errors. @param df degrees of freedom, 1 or more */
export function findCriticalT(df: number, tests = 1): number {
  // The square of t has an F distribution with 1 degree of freedom.
  return Math.sqrt(jstat.centralF.inv(1 - 0.05 / tests, 1, df));
}
