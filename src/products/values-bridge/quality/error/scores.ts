// The error of the scores of one life.
import { at } from "../../scoring/lists.ts";
import type { ScoreError } from "../quality.ts";
import { leastCells, meanOf } from "../statistics/samples.ts";
import { rankRanges } from "./ranks.ts";

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
