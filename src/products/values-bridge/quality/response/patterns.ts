// Indices of how raw ratings lie, whatever they are about.
import type { Answers } from "../../scoring/formulas/cells.ts";
import { sampleOf, squaredDeviations } from "../statistics/samples.ts";

/**
 * The longest run of equal ratings in one block (long string: Meade and Craig 2012, Curran 2016). An unanswered
 * statement ends a run; 0 without an answer.
 * @param block raw ratings in asking order
 */
export function longestRun(block: Answers): number {
  let longest = 0;
  let length = 0;
  let previous: number | null = null;
  for (const rating of block) {
    if (rating === null) length = 0;
    else length = rating === previous ? length + 1 : 1;
    previous = rating;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Standard deviation (n - 1) of raw ratings (intra-individual response variability: Dunn et al. 2018); null below 2. */
export function spreadOf(ratings: readonly number[]): number | null {
  if (ratings.length < 2) return null;
  return Math.sqrt(squaredDeviations(sampleOf(ratings)) / (ratings.length - 1));
}

/** Share of the ratings that are one of these; null without a rating. */
export function shareOf(wanted: readonly number[], ratings: readonly number[]): number | null {
  if (ratings.length === 0) return null;
  return ratings.filter((rating) => wanted.includes(rating)).length / ratings.length;
}
