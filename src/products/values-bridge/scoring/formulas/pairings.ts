// Pairs of compatible or opposed values: how strongly each is wanted as a pair, and the totals over each kind.
import { at, type Round, roundForOrder } from "../exact.ts";
import type { Pairing, PairingKind } from "../model.ts";

/** A pairing whose values are known by their index in ascending value id. */
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
  /** 100 times the weaker one, and the mean, at nine decimals: what the order compares. -1 instead of null. */
  readonly orderMin: number;
  readonly orderMean: number;
}

const unscoredPairing = { min: null, mean: null, reported: null, orderMin: -1, orderMean: -1 };

/** Total harmony or total conflict. */
export interface PairingTotal {
  /** Number of pairings of this kind that have a score. */
  readonly pairings: number;
  /** Sums over them of kappa times weaker priority, and of kappa times mean priority. */
  readonly numerator: number;
  readonly denominator: number;
  /** 100 times their quotient, 0..100, unrounded; 0 where the denominator is 0. Null: no pairing has a score. */
  readonly total: number | null;
  /** The total, rounded. */
  readonly reported: number | null;
}

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

/** How evenly the two values of this kind's pairs are wanted; `scores` in catalogue order. */
export function totalOfKind(scores: readonly PairScore[], kind: PairingKind, round: Round): PairingTotal {
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
