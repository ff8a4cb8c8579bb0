// The variance of statements, and standard errors of means of them.
import type { PooledVariance } from "../quality.ts";
import { leastDf, type Pooled } from "../samples.ts";

/** Integer weights by their sum and the sum of their squares. */
export interface Weights {
  readonly weight: number;
  readonly squaredWeight: number;
}

/**
 * Standard error of a weighted mean of keyed points, in points of 0..100:
 * `(100 / span) sqrt(variance * sum W²) / sum W`. It is the conditional absolute standard error of generalizability
 * theory for a within-person design (Brennan 1998).
 * @param variance of one statement, in squared scale points
 * @param span `max - min` of the rating scale
 * @param weights those of the answered statements, not empty
 */
export function standardError(variance: number, span: number, { weight, squaredWeight }: Weights): number {
  return ((100 / span) * Math.sqrt(variance * squaredWeight)) / weight;
}

/** The variance of rounding a rating to a whole number, 1/12 of a squared scale point. */
const roundingVariance = 1 / 12;

/**
 * The pooled variance, which is not below that of rounding: answers that agree perfectly are no proof of precision.
 * Null below 30 degrees of freedom.
 * @param ratings how many ratings, each rounded once, add up to one member of the samples
 */
export function pooledVariance({ df, squaredDeviations }: Pooled, ratings: number): PooledVariance {
  if (df < leastDf) return { df, variance: null };
  return { df, variance: Math.max(ratings * roundingVariance, squaredDeviations / df) };
}
