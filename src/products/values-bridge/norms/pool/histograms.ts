// The histograms that norms of all partners are made of: public bins, and what one partner's people add to each.
import type { Sums } from "../accumulators/contribution.ts";
import { centredBins, centredStep, halfPoints, type NormLayout } from "../accumulators/layout.ts";

/** Equal bins. With tails there is one more at each end, for all that lies beyond. */
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
export const mostBins = scoreBins.count;

/**
 * The bins of each histogram: ideal, current and gap of each value in ascending value id, then total gap, harmony and
 * conflict.
 */
export function binsOf({ values }: NormLayout): Bins[] {
  return [...values.flatMap(() => [scoreBins, scoreBins, gapBins]), totalBins, totalBins, totalBins];
}

/** What people add to each histogram: whole numbers. Everybody is in at most one bin of each. */
export function histogramsOf(layout: NormLayout, sums: Sums): number[][] {
  const merged = (first: number, steps: number, bins: Bins, pointsAt: (step: number) => number): number[] => {
    const counts = Array<number>(bins.count).fill(0);
    for (let step = 0; step < steps; step += 1) {
      const bin = binOf(bins, pointsAt(step));
      counts[bin] = (counts[bin] ?? 0) + (sums[first + step] ?? 0);
    }
    return counts;
  };
  const centredAt = (step: number) => centredStep * step - 100;
  const total = (first: number) => merged(first, halfPoints + 1, totalBins, (step) => step / 2);
  return [
    ...layout.values.flatMap(({ centredIdeal, centredCurrent, gap, gapSteps, scoreSteps }) => [
      merged(centredIdeal, centredBins, scoreBins, centredAt),
      merged(centredCurrent, centredBins, scoreBins, centredAt),
      merged(gap, gapSteps, gapBins, (step) => (100 * (step - scoreSteps + 1)) / (scoreSteps - 1)),
    ]),
    total(layout.totalGap),
    total(layout.harmony),
    total(layout.conflict),
  ];
}

function binOf({ from, step, count, hasTails }: Bins, points: number): number {
  // What mathematics puts on an edge, a division may miss.
  const bin = Math.floor((points - from) / step + 1e-9) + (hasTails ? 1 : 0);
  return Math.min(count - 1, Math.max(0, bin));
}
