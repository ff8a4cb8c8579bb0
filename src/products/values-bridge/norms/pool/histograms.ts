// The histograms that norms of all partners are made of: public bins, and the counts of one partner's people in each.
import { at } from "../../scoring/exact.ts";
import { centredStep, type NormLayout } from "../layout.ts";
import type { Sums } from "../sums.ts";

/** Equal bins. With tails there is one more at each end, for everything beyond. */
export interface Bins {
  /** The first edge, in points. */
  readonly from: number;
  readonly step: number;
  /** How many there are, tails included. */
  readonly count: number;
  readonly hasTails: boolean;
}

const scoreBins: Bins = { from: -48, step: 4, count: 26, hasTails: true };
const gapBins: Bins = { from: -96, step: 8, count: 26, hasTails: true };
const totalBins: Bins = { from: 0, step: 5, count: 20, hasTails: false };
/** The bins of scores and gaps, which are the most. */
export const maxBins = scoreBins.count;

/**
 * The bins of each histogram: ideal, current and gap of each value in ascending value id, then total gap, harmony and
 * conflict.
 */
export function layoutBins({ values }: NormLayout): Bins[] {
  return [...values.flatMap(() => [scoreBins, scoreBins, gapBins]), totalBins, totalBins, totalBins];
}

/** The counts of people in each histogram: whole numbers. Each person is in at most one bin of each. */
export function countHistograms({ values }: NormLayout, { totalGap, harmony, conflict, ...sums }: Sums): number[][] {
  const mergeBins = (counts: readonly number[], bins: Bins, pointsAt: (step: number) => number): number[] => {
    const binCounts = Array<number>(bins.count).fill(0);
    counts.forEach((count, step) => {
      const bin = findBin(bins, pointsAt(step));
      binCounts[bin] = (binCounts[bin] ?? 0) + count;
    });
    return binCounts;
  };
  const centredAt = (step: number) => centredStep * step - 100;
  return [
    ...values.flatMap(({ scoreSteps }, index) => {
      const { centredIdeal, centredCurrent, gap } = at(sums.values, index);
      return [
        mergeBins(centredIdeal, scoreBins, centredAt),
        mergeBins(centredCurrent, scoreBins, centredAt),
        mergeBins(gap, gapBins, (step) => (100 * (step - scoreSteps + 1)) / (scoreSteps - 1)),
      ];
    }),
    ...[totalGap, harmony, conflict].map((counts) => mergeBins(counts, totalBins, (step) => step / 2)),
  ];
}

function findBin({ from, step, count, hasTails }: Bins, points: number): number {
  // The division may miss an exact edge by a rounding error.
  const bin = Math.floor((points - from) / step + 1e-9) + (hasTails ? 1 : 0);
  return Math.min(count - 1, Math.max(0, bin));
}
