// The histograms of norms of all partners: public bins, and the counts of one partner's people in each.
import { at } from "../../scoring/exact.ts";
import { type Bins, findBin, type NormLayout, scoreBins, totalBins } from "../layout.ts";
import type { NormSums } from "../sums.ts";

/** Bins that are released. With tails, the first and the last one also count everything beyond. */
export interface PooledBins extends Bins {
  readonly hasTails: boolean;
}

const pooledScoreBins: PooledBins = { from: -52, step: 4, count: 26, hasTails: true };
const pooledGapBins: PooledBins = { from: -104, step: 8, count: 26, hasTails: true };
const pooledTotalBins: PooledBins = { from: 0, step: 5, count: 20, hasTails: false };
/** The largest number of bins of a histogram. */
export const maxBins = pooledScoreBins.count;

/**
 * The bins of each histogram: ideal, current and gap of each value in ascending value id, then total gap, harmony and
 * conflict.
 */
export function listBins({ values }: NormLayout): PooledBins[] {
  const valueBins = [pooledScoreBins, pooledScoreBins, pooledGapBins];
  return [...values.flatMap(() => valueBins), pooledTotalBins, pooledTotalBins, pooledTotalBins];
}

/** The counts of people in each histogram. Each person is in at most one bin of each. */
export function countHistograms({ layout, values, totalGap, harmony, conflict }: NormSums): number[][] {
  const valueCounts = values.flatMap(({ ideal, current, gap }) => [ideal, current, gap]);
  const own = [
    ...valueCounts.map((counts) => ({ counts, bins: scoreBins })),
    ...[totalGap, harmony, conflict].map((counts) => ({ counts, bins: totalBins })),
  ];
  return listBins(layout).map((bins, place) => {
    const { counts, bins: ownBins } = at(own, place);
    const merged = Array<number>(bins.count).fill(0);
    counts.forEach((count, index) => {
      const bin = findBin(bins, ownBins.from + ownBins.step * index);
      merged[bin] = (merged[bin] ?? 0) + count;
    });
    return merged;
  });
}
