// Where a value stands among the others of one life, with its error.
import { at } from "../../scoring/lists.ts";

/** One-sided 5 %: two values are clearly different beyond this many standard errors of their difference. */
const clear = 1.645;

/** A score in points of 0..100, with its standard error in the same points. */
export interface ScoreWithError {
  readonly score: number;
  readonly standardError: number;
}

/**
 * The best and the worst rank that go with each score, 1 the best: `1 + number of values clearly higher` to
 * `n - number clearly lower`. Each holds for its value alone; the ranges of all values do not hold at once.
 * @param scores null if a value has none, or no standard error; it then has no range
 * @param scored number of values with a score
 */
export function rankRanges(
  scores: readonly (ScoreWithError | null)[],
  scored: number,
): ([best: number, worst: number] | null)[] {
  const ranges = scores.map((score): [number, number] | null => (score === null ? null : [1, scored]));
  for (let index = 1; index < scores.length; index += 1) {
    for (let other = 0; other < index; other += 1) {
      const [one, two] = [at(scores, index), at(scores, other)];
      const [rangeOfOne, rangeOfTwo] = [at(ranges, index), at(ranges, other)];
      if (one === null || two === null || rangeOfOne === null || rangeOfTwo === null) continue;
      const difference = one.score - two.score;
      const bound = clear * Math.sqrt(one.standardError ** 2 + two.standardError ** 2);
      if (Math.abs(difference) <= bound) continue;
      (difference > 0 ? rangeOfOne : rangeOfTwo)[1] -= 1;
      (difference > 0 ? rangeOfTwo : rangeOfOne)[0] += 1;
    }
  }
  return ranges;
}
