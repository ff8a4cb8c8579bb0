// Gaps between the lives, priorities, pairs of values and the archetype, from scores.
import { addUp, at, type Round, roundForOrder } from "./exact.ts";
import type { Pairing, ScoringModel } from "./model.ts";
import type {
  ArchetypeExplanation,
  Gap,
  PairingExplanation,
  PairingKind,
  PairingTotal,
  ScoringConstants,
  TotalGap,
} from "./shapes.ts";

/** The gap between two scores of 0..1; null if either is missing. */
export function computeGap(
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
 * The mean size of the gaps, weighted by importance: missing a strongly wanted value counts most, living an unwanted one too
 * much counts as well. Null if there is no gap.
 * @param gaps in ascending value id
 */
export function computeTotalGap(gaps: readonly (Gap | null)[], round: Round): TotalGap | null {
  const presentGaps = gaps.filter((entry) => entry !== null);
  if (presentGaps.length === 0) return null;
  const weighted = (measureSize: (gap: number) => number) =>
    presentGaps.reduce((sum, { gap, weight }) => sum + weight * measureSize(gap), 0);
  const weightSum = weighted(() => 1);
  const weightedSum = weighted(Math.abs);
  const total = weightedSum / weightSum;
  return {
    values: presentGaps.length,
    weightSum,
    weightedSum,
    total,
    short: weighted((gap) => Math.max(gap, 0)) / weightSum,
    over: weighted((gap) => Math.max(-gap, 0)) / weightSum,
    reported: round(total),
  };
}

/**
 * The baseline, which is the person's own average, and the priority of each value: 0.5 + priorityGain * (score - baseline),
 * within 0..1. Null for an unscored value, or without a baseline.
 * @param idealScores in ascending value id, as the priorities
 */
export function prioritise(idealScores: readonly (number | null)[], constants: ScoringConstants) {
  const scores = idealScores.filter((score) => score !== null);
  const scoredValues = scores.length;
  const scoreSum = addUp(scores);
  const mean = scoredValues === 0 || scoredValues < constants.minBaselineValues ? null : scoreSum / scoredValues;
  const byValue = idealScores.map((score) =>
    score === null || mean === null ? null : Math.min(1, Math.max(0, 0.5 + constants.priorityGain * (score - mean))),
  );
  return { baseline: { scoredValues, scoreSum, mean }, byValue };
}

/** A pairing with the indices of its values in ascending value id. */
export interface IndexedPairing extends Pairing {
  readonly indices: readonly [number, number];
}

/**
 * Scores each pairing, in catalogue order: the weaker of two priorities says how much both are wanted at once. Null if one of
 * its values has no priority.
 * @param priorities in ascending value id
 */
export function scorePairings(
  pairings: readonly IndexedPairing[],
  priorities: readonly (number | null)[],
  round: Round,
): readonly PairingExplanation[] {
  return pairings.map(({ id: valuePairingId, values, kind, kappa, indices }) => {
    const a = at(priorities, indices[0]);
    const b = at(priorities, indices[1]);
    if (a === null || b === null) {
      return { valuePairingId, values, kind, kappa, min: null, mean: null, reported: null };
    }
    const min = Math.min(a, b);
    return { valuePairingId, values, kind, kappa, min, mean: (a + b) / 2, reported: round(100 * min) };
  });
}

/** The order of the results: strongest pair first, ties by the mean of the two, then by id; unscored pairs last. */
export function orderPairings(scores: readonly PairingExplanation[]): readonly PairingExplanation[] {
  // No score is below 0: unscored pairs are last.
  const keys = scores.map((pairing) => {
    const { min, mean } = pairing;
    return { pairing, min: min === null ? -1 : roundForOrder(100 * min), mean: roundForOrder(mean ?? -1) };
  });
  keys.sort((a, b) => b.min - a.min || b.mean - a.mean || a.pairing.valuePairingId - b.pairing.valuePairingId);
  return keys.map(({ pairing }) => pairing);
}

/** The evenness with which the values of pairs of a kind are wanted. @param scores in catalogue order */
export function computePairingTotal(
  scores: readonly PairingExplanation[],
  kind: PairingKind,
  round: Round,
): PairingTotal {
  let pairings = 0;
  let numerator = 0;
  let denominator = 0;
  for (const { kind: pairingKind, kappa, min, mean } of scores) {
    if (pairingKind !== kind || min === null || mean === null) continue;
    pairings += 1;
    numerator += kappa * min;
    denominator += kappa * mean;
  }
  if (pairings === 0) return { pairings, numerator, denominator, total: null, reported: null };
  const total = denominator === 0 ? 0 : Math.min(100, (100 * numerator) / denominator);
  return { pairings, numerator, denominator, total, reported: round(total) };
}

/**
 * Chooses the archetype from the rounded totals, so that readers of results can check it.
 * @param harmony rounded, as `conflict`; null without pairings
 */
export function chooseArchetype(
  model: ScoringModel,
  totalGap: Pick<TotalGap, "values" | "reported"> | null,
  harmony: number | null,
  conflict: number | null,
  round: Round,
): ArchetypeExplanation {
  const { minGapValues, focusThreshold } = model.constants;
  const focus = harmony === null || conflict === null ? null : round(harmony - conflict);
  const leaveUnresolved = (unresolved: ArchetypeExplanation["unresolved"]): ArchetypeExplanation => {
    return { archetypeId: model.unresolvedArchetypeId, gapBand: null, focus, direction: null, unresolved };
  };
  if (totalGap === null || totalGap.values < minGapValues) return leaveUnresolved("too_few_gaps");
  if (focus === null) return leaveUnresolved("no_pairing_totals");
  const direction = focus >= focusThreshold ? "focused" : "plural";
  const gap = totalGap.reported;
  const rule = model.archetypes.find(
    (each) => each.direction === direction && gap >= each.gapFrom && (each.gapBelow === null || gap < each.gapBelow),
  );
  if (rule === undefined) throw new RangeError(`no archetype for a gap of ${gap} and direction ${direction}`);
  const gapBand = { from: rule.gapFrom, below: rule.gapBelow };
  return { archetypeId: rule.id, gapBand, focus, direction, unresolved: null };
}
