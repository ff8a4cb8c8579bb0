// The variance of statements around their value, pooled over the values of one person.

import type { PooledVariance } from "../quality.ts";
import { leastDf, type Pooled } from "../statistics/samples.ts";

/** The variance of rounding a rating to a whole number, 1/12 of a squared scale point. */
export const roundingVariance = 1 / 12;

/**
 * The pooled variance, which is not below that of rounding: answers that agree perfectly are no proof of precision.
 * Null below 30 degrees of freedom.
 * @param ratings how many ratings, each rounded once, add up to one member of the samples
 */
export function pooledVariance({ df, squaredDeviations }: Pooled, ratings: number): PooledVariance {
  if (df < leastDf) return { df, variance: null };
  return { df, variance: Math.max(ratings * roundingVariance, squaredDeviations / df) };
}
