// The error of the scores of one life.
import { at } from "../../scoring/exact.ts";
import type { ScoreError } from "../quality.ts";
import { leastCells, meanOf } from "../samples.ts";

/** Two-sided 95 %. */
const halfWidth = 1.96;

/**
 * The scores of one life with their errors; null if a value is not scored. Unrounded.
 * @param valueIds ascending
 * @param scores exact, 0..1, in the order of the ids; null if a value is not scored
 * @param standardErrors in points of 0..100; null if there is none
 */
export function scoreErrors(
  valueIds: readonly number[],
  scores: readonly (number | null)[],
  standardErrors: readonly (number | null)[],
): (ScoreError | null)[] {
  const known = scores.filter((score) => score !== null);
  const mean = known.length < leastCells ? null : meanOf(known);
  const withErrors = scores.map((score, index) => {
    const standardError = at(standardErrors, index);
    return score === null || standardError === null ? null : { score: 100 * score, standardError };
  });
  const ranges = rankRanges(withErrors, known.length);
  return scores.map((exact, index): ScoreError | null => {
    if (exact === null) return null;
    const standardError = at(standardErrors, index);
    return {
      score: 100 * exact,
      centred: mean === null ? null : 100 * (exact - mean),
      standardError,
      interval: standardError === null ? null : intervalOf(100 * exact, standardError),
      rankRange: at(ranges, index),
      tiedWith: valueIds.filter((_, other) => other !== index && scores[other] === exact),
    };
  });
}

function intervalOf(score: number, standardError: number): [number, number] {
  return [Math.max(0, score - halfWidth * standardError), Math.min(100, score + halfWidth * standardError)];
}

/** One-sided 5 %: two values are clearly different beyond this many standard errors of their difference. */
const clear = 1.645;

/** A score in points of 0..100, with its standard error in the same points. */
export interface ScoreWithError {
  readonly score: number;
  readonly standardError: number;
}

/**
 * The best and the worst rank of each score within its error, 1 the best: `1 + number of values clearly higher` to
 * `n - number clearly lower`. Each holds for its value alone; the ranges of all values do not hold at once.
 * @param scores null if a value has none, or no standard error; it then has no range
 * @param scored number of values with a score
 */
export function rankRanges(
  scores: readonly (ScoreWithError | null)[],
  scored: number,
): ([best: number, worst: number] | null)[] {
  const ranked = scores.map((score) => {
    const range: [best: number, worst: number] = [1, scored];
    return score === null ? null : { ...score, range };
  });
  for (const [index, one] of ranked.entries()) {
    for (let other = 0; other < index; other += 1) {
      const two = at(ranked, other);
      if (one === null || two === null) continue;
      const difference = one.score - two.score;
      const bound = clear * Math.sqrt(one.standardError ** 2 + two.standardError ** 2);
      if (Math.abs(difference) <= bound) continue;
      const [higher, lower] = difference > 0 ? [one, two] : [two, one];
      higher.range[1] -= 1;
      lower.range[0] += 1;
    }
  }
  return ranked.map((value) => value?.range ?? null);
}
