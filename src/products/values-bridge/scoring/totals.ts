// Gaps between the lives, priorities, pairs of values and the archetype, from scores.
import { at, type Round, roundForOrder } from "./exact.ts";
import type { ArchetypeRule, Pairing, ScoringModel } from "./model.ts";
import type { ArchetypeExplanation, Gap, PairingKind, PairingTotal, ScoringConstants, TotalGap } from "./shapes.ts";

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

export interface Priorities {
  /** Number of values scored in the ideal context, and the sum of their scores. */
  readonly scoredValues: number;
  readonly scoreSum: number;
  /** The person's own average, 0..1. Null: too few values are scored to have one. */
  readonly baseline: number | null;
  /** In ascending value id, 0..1: 0.5 is the person's average. Null for an unscored value, or without a baseline. */
  readonly byValue: readonly (number | null)[];
}

/** Priority of each value: 0.5 + priorityGain * (score - baseline), within 0..1. @param idealScores in ascending value id */
export function prioritise(idealScores: readonly (number | null)[], constants: ScoringConstants): Priorities {
  const scores = idealScores.filter((score) => score !== null);
  const scoredValues = scores.length;
  const scoreSum = scores.reduce((sum, score) => sum + score, 0);
  if (scoredValues === 0 || scoredValues < constants.minBaselineValues) {
    return { scoredValues, scoreSum, baseline: null, byValue: idealScores.map(() => null) };
  }
  const baseline = scoreSum / scoredValues;
  const byValue = idealScores.map((score) =>
    score === null ? null : Math.min(1, Math.max(0, 0.5 + constants.priorityGain * (score - baseline))),
  );
  return { scoredValues, scoreSum, baseline, byValue };
}

/** A pairing with the indices of its values in ascending value id. */
export interface IndexedPairing extends Pairing {
  readonly indices: readonly [number, number];
}

/** The score of one pairing; null if one of its values has no priority. */
export interface PairScore {
  readonly pairing: IndexedPairing;
  /** The weaker of the two priorities, 0..1: how much both are wanted at once. */
  readonly min: number | null;
  readonly mean: number | null;
  /** 100 times the weaker one, rounded. */
  readonly reported: number | null;
  /** For the order: 100 times the weaker one, and the mean, at nine decimals; -1 instead of null. */
  readonly orderMin: number;
  readonly orderMean: number;
}

const unscoredPairing = { min: null, mean: null, reported: null, orderMin: -1, orderMean: -1 };

/** Scores each pairing, in catalogue order; `priorities` are in ascending value id. */
export function scorePairings(
  pairings: readonly IndexedPairing[],
  priorities: readonly (number | null)[],
  round: Round,
): readonly PairScore[] {
  return pairings.map((pairing) => {
    const a = at(priorities, pairing.indices[0]);
    const b = at(priorities, pairing.indices[1]);
    if (a === null || b === null) return { pairing, ...unscoredPairing };
    const min = Math.min(a, b);
    const mean = (a + b) / 2;
    return {
      pairing,
      min,
      mean,
      reported: round(100 * min),
      orderMin: roundForOrder(100 * min),
      orderMean: roundForOrder(mean),
    };
  });
}

/** The order of the results: strongest pair first, ties by the mean of the two, then by id; unscored pairs last. */
export function orderPairings(scores: readonly PairScore[]): readonly PairScore[] {
  return scores.toSorted((a, b) => b.orderMin - a.orderMin || b.orderMean - a.orderMean || a.pairing.id - b.pairing.id);
}

/** The evenness with which the values of pairs of a kind are wanted. @param scores in catalogue order */
export function computePairingTotal(scores: readonly PairScore[], kind: PairingKind, round: Round): PairingTotal {
  let pairings = 0;
  let numerator = 0;
  let denominator = 0;
  for (const { pairing, min, mean } of scores) {
    if (pairing.kind !== kind || min === null || mean === null) continue;
    pairings += 1;
    numerator += pairing.kappa * min;
    denominator += pairing.kappa * mean;
  }
  if (pairings === 0) return { pairings, numerator, denominator, total: null, reported: null };
  const total = denominator === 0 ? 0 : Math.min(100, (100 * numerator) / denominator);
  return { pairings, numerator, denominator, total, reported: round(total) };
}

/** An archetype, and the rule that held; null if unresolved. */
export interface ArchetypeChoice extends Omit<ArchetypeExplanation, "gapBand" | "direction"> {
  readonly rule: ArchetypeRule | null;
}

/** The rounded totals; null if missing. */
export interface ReportedTotals {
  readonly gap: number | null;
  readonly harmony: number | null;
  readonly conflict: number | null;
  /** Number of values that have a gap. */
  readonly valuesWithGap: number;
}

/** Chooses the archetype from the rounded totals, so that readers of results can check it. */
export function chooseArchetype(model: ScoringModel, totals: ReportedTotals, round: Round): ArchetypeChoice {
  const { gap, harmony, conflict, valuesWithGap } = totals;
  const { minGapValues, focusThreshold } = model.constants;
  const focus = harmony === null || conflict === null ? null : round(harmony - conflict);
  const leaveUnresolved = (reason: ArchetypeExplanation["unresolved"]): ArchetypeChoice => ({
    archetypeId: model.unresolvedArchetypeId,
    rule: null,
    focus,
    unresolved: reason,
  });
  if (gap === null || valuesWithGap < minGapValues) return leaveUnresolved("too_few_gaps");
  if (focus === null) return leaveUnresolved("no_pairing_totals");
  const direction = focus >= focusThreshold ? "focused" : "plural";
  for (const rule of model.archetypes) {
    const inBand = gap >= rule.gapFrom && (rule.gapBelow === null || gap < rule.gapBelow);
    if (inBand && rule.direction === direction) return { archetypeId: rule.id, rule, focus, unresolved: null };
  }
  throw new RangeError(`no archetype for a gap of ${gap} and direction ${direction}`);
}
