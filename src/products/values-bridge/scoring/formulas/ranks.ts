// Places and tiers of the values within one life context.
import { at, roundForOrder } from "../exact.ts";
import type { Tier } from "../model.ts";

/** Indices of the two values beside each value on the circle. */
export type Neighbours = readonly (readonly [number, number])[];

/** A value's place in one context; the numbers are null for a value without a score there. */
export interface Rank {
  /** 1 is the strongest value; no two values share one. */
  readonly displayRank: number | null;
  /** 1 + number of values with a higher score: equal scores share it, and it decides the tier. */
  readonly sharedRank: number | null;
  readonly tier: string;
  /** Mean score of the scored neighbours at nine decimals: it breaks ties. Null: no neighbour is scored, which loses every tie. */
  readonly neighbourMean: number | null;
}

/**
 * Ranks the values of one context by score, then mean of the neighbours, then id. Neighbours on the circle correlate
 * positively, so of two equal scores the one with the higher neighbours is the likelier to be the higher in truth.
 * @param scores in ascending value id, null if a value is not scored
 */
export function rankScores(
  scores: readonly (number | null)[],
  neighbours: Neighbours,
  tiers: readonly Tier[],
  unranked: string,
): readonly Rank[] {
  const means = scores.map((_, index) => neighbourMean(scores, at(neighbours, index)));
  // As numbers alone, -1 for none: numbers beside null take an object each, for every pair of values.
  const rivals = orMinusOne(scores);
  const tieBreaks = orMinusOne(means);
  const scored = scores.reduce<number>((count, score) => (score === null ? count : count + 1), 0);
  return scores.map((score, index) => {
    if (score === null) return { displayRank: null, sharedRank: null, tier: unranked, neighbourMean: null };
    const tieBreak = tieBreaks[index] ?? -1;
    let higher = 0;
    let tiedBefore = 0;
    for (let other = 0; other < rivals.length; other += 1) {
      const rival = rivals[other] ?? -1;
      if (rival > score) higher += 1;
      else if (rival === score) {
        const difference = (tieBreaks[other] ?? -1) - tieBreak;
        if (difference > 0 || (difference === 0 && other < index)) tiedBefore += 1;
      }
    }
    const sharedRank = 1 + higher;
    return {
      displayRank: sharedRank + tiedBefore,
      sharedRank,
      tier: tierOf(sharedRank, scored, tiers, unranked),
      neighbourMean: at(means, index),
    };
  });
}

function orMinusOne(numbers: readonly (number | null)[]): Float64Array {
  const all = new Float64Array(numbers.length);
  for (let index = 0; index < all.length; index += 1) all[index] = numbers[index] ?? -1;
  return all;
}

function neighbourMean(scores: readonly (number | null)[], [left, right]: readonly [number, number]): number | null {
  const a = at(scores, left);
  const b = at(scores, right);
  if (a === null) return b === null ? null : roundForOrder(b);
  return roundForOrder(b === null ? a : (a + b) / 2);
}

function tierOf(sharedRank: number, scored: number, tiers: readonly Tier[], unranked: string): string {
  for (const { name, share } of tiers) {
    if (sharedRank <= Math.ceil((share[0] * scored) / share[1])) return name;
  }
  return unranked;
}
