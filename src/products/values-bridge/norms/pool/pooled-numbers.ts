// Norms of all partners, computed from released histograms only, so that they reveal no more than those.
import type * as proto from "../../../../gen/assessment/v1/norm_service_pb.ts";
import type { ShapeOf } from "../../../../json/messages.ts";
import { addUp, at } from "../../scoring/exact.ts";
import type { NormLayout } from "../layout.ts";
import { type Distribution, roundDistribution } from "../statistics/distribution.ts";
import { computeNoiseVariance, computePooledHalfWidth, unit } from "./draw.ts";
import { listBins, type PooledBins } from "./histograms.ts";

/** Scores are centred. */
export type PooledNumbers = Omit<ShapeOf<proto.PooledRelease>, "released" | "number" | "sample">;

/** The numbers of a release. @param histograms as they were drawn */
export function computePooledNumbers(layout: NormLayout, histograms: readonly (readonly number[])[]): PooledNumbers {
  const counts = histograms.map((histogram) => histogram.map((count) => count / unit));
  // Every person is in the histograms of every value, so their sums differ by noise only.
  const valueCounts = counts.slice(0, 3 * layout.values.length);
  const n = Math.max(1, addUp(valueCounts.map(addUp)) / valueCounts.length);
  const noise = computeNoiseVariance(histograms.length) / unit ** 2;
  const bins = listBins(layout);
  const distribution = (place: number) => estimateDistribution(at(counts, place), at(bins, place), n, noise);
  const totals = valueCounts.length;
  return {
    n: Math.round(n),
    values: layout.values.map(({ valueId }, index) => ({
      valueId,
      ideal: distribution(3 * index),
      current: distribution(3 * index + 1),
      gap: distribution(3 * index + 2),
    })),
    totalGap: distribution(totals),
    harmony: distribution(totals + 1),
    conflict: distribution(totals + 2),
  };
}

/** The distribution from noisy counts. @param noise variance of the noise on each count, in squared people */
export function estimateDistribution(
  counts: readonly number[],
  bins: PooledBins,
  n: number,
  noise: number,
): Distribution {
  const { from, step, count, hasTails } = bins;
  const below = countBelowEdges(counts, n);
  const people = counts.map((_, bin) => at(below, bin + 1) - at(below, bin));
  const middles = people.map((_, bin) => from + step * (bin + 0.5));
  const mean = addUp(people.map((each, bin) => each * at(middles, bin))) / n;
  const square = addUp(people.map((each, bin) => each * (at(middles, bin) - mean) ** 2)) / n;
  const edges = hasTails ? below.slice(1, -1) : below;
  const percentiles = edges.map((each) => (100 * each) / n);
  const halfWidths = percentiles.map((rank, edge) => {
    // The noise of the bins below the edge, after the shift.
    const share = (edge + (hasTails ? 1 : 0)) / count;
    return computePooledHalfWidth(rank, n, noise * count * share * (1 - share));
  });
  return roundDistribution({
    mean,
    sd: Math.sqrt(square),
    from: from + (hasTails ? step : 0),
    step,
    percentiles,
    halfWidths,
  });
}

/**
 * The number of people below each edge, outer ones included: all counts are shifted equally to add up to n, and the sums
 * are then made ascending with least squares (isotonic regression by pooling neighbours, Ayer et al. 1955).
 */
function countBelowEdges(counts: readonly number[], n: number): number[] {
  const shift = (n - addUp(counts)) / counts.length;
  const blocks: { sum: number; size: number }[] = [];
  let below = 0;
  for (const count of counts.slice(0, -1)) {
    below += count + shift;
    let block = { sum: below, size: 1 };
    for (;;) {
      const last = blocks.at(-1);
      if (last === undefined || last.sum / last.size <= block.sum / block.size) break;
      blocks.pop();
      block = { sum: last.sum + block.sum, size: last.size + block.size };
    }
    blocks.push(block);
  }
  const ascending = blocks.flatMap(({ sum, size }) => Array<number>(size).fill(sum / size));
  return [0, ...ascending.map((each) => Math.min(n, Math.max(0, each))), n];
}
