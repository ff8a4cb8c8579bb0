// How much a person wants each value compared with their own average, which takes out how generously they rate.
import type { ScoringConstants } from "../model.ts";

export interface Priorities {
  /** Number of values scored in the ideal context, and the sum of their scores. */
  readonly scoredValues: number;
  readonly scoreSum: number;
  /** The person's own average, 0..1. Null: too few values are scored to have one. */
  readonly baseline: number | null;
  /** In ascending value id, 0..1: 0.5 is the person's average. Null for an unscored value, or without a baseline. */
  readonly byValue: readonly (number | null)[];
}

/**
 * Priority of each value: 0.5 + priorityGain * (score - baseline), held to 0..1.
 * @param idealScores in ascending value id
 */
export function prioritise(idealScores: readonly (number | null)[], constants: ScoringConstants): Priorities {
  let scoredValues = 0;
  let scoreSum = 0;
  for (const score of idealScores) {
    if (score === null) continue;
    scoredValues += 1;
    scoreSum += score;
  }
  if (scoredValues === 0 || scoredValues < constants.minBaselineValues) {
    return { scoredValues, scoreSum, baseline: null, byValue: idealScores.map(() => null) };
  }
  const baseline = scoreSum / scoredValues;
  const byValue = idealScores.map((score) =>
    score === null ? null : Math.min(1, Math.max(0, 0.5 + constants.priorityGain * (score - baseline))),
  );
  return { scoredValues, scoreSum, baseline, byValue };
}
