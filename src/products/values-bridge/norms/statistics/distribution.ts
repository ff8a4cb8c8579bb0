// Distributions, computed from histograms.
import type * as proto from "../../../../gen/assessment/v1/norm_service_pb.ts";
import type { ShapeOf } from "../../../../json/messages.ts";
import { z95 } from "../../quality/statistics.ts";
import { at, createRounder } from "../../scoring/exact.ts";
import type { Bins } from "../layout.ts";

/** In points. Between two edges ranks are linear. */
export type Distribution = ShapeOf<proto.Distribution>;

/**
 * The distribution of counts by bin; mean and standard deviation (n - 1) are those of the middles of bins. In the middle of a
 * bin the rank is `100 (below + equal / 2) / n`. Null below 2 people.
 */
export function computeDistribution(
  counts: readonly number[],
  { from, step }: Omit<Bins, "count">,
): Distribution | null {
  let [n, sum, squares] = [0, 0, 0];
  const belowEdges = [0];
  for (const [bin, count] of counts.entries()) {
    n += count;
    sum += count * bin;
    squares += count * bin * bin;
    belowEdges.push(n);
  }
  if (n < 2) return null;
  const percentiles = belowEdges.map((below) => (100 * below) / n);
  return {
    mean: from + step / 2 + (step * sum) / n,
    sd: step * Math.sqrt((n * squares - sum * sum) / (n * (n - 1))),
    from,
    step,
    percentiles,
    halfWidths: percentiles.map((rank) => computePercentileHalfWidth(rank, n)),
  };
}

const round1 = createRounder(1);
const round2 = createRounder(2);

/** The distribution as it is reported: means with two decimals, ranks and their half-widths with one. */
export function roundDistribution(distribution: Distribution): Distribution {
  const { mean, sd, percentiles, halfWidths } = distribution;
  return {
    ...distribution,
    mean: round2(mean),
    sd: round2(sd),
    percentiles: percentiles.map(round1),
    halfWidths: halfWidths.map(round1),
  };
}

/** Half of the width of the 95 % interval of a percentile rank, above 0 at the ends too (Wilson 1927). @param rank 0..100 */
export function computePercentileHalfWidth(rank: number, n: number): number {
  const p = rank / 100;
  const square = z95 ** 2 / n;
  return (100 * Math.sqrt(square * (p * (1 - p) + square / 4))) / (1 + square);
}

/** The percentile rank of a number, unrounded. Beyond the last edges people are as likely above as below it. */
export function findRank(
  { from, step, percentiles, halfWidths }: Distribution,
  x: number,
): { readonly rank: number; readonly halfWidth: number } {
  const last = percentiles.length - 1;
  const place = (x - from) / step;
  if (place < 0) return { rank: at(percentiles, 0) / 2, halfWidth: at(halfWidths, 0) };
  // The division may miss an exact edge by a rounding error.
  if (place > last + 1e-9) return { rank: (100 + at(percentiles, last)) / 2, halfWidth: at(halfWidths, last) };
  const bin = Math.min(last - 1, Math.floor(place));
  const between = (ends: readonly number[]) => at(ends, bin) + (place - bin) * (at(ends, bin + 1) - at(ends, bin));
  return { rank: between(percentiles), halfWidth: between(halfWidths) };
}

/** A rank as it is reported: a whole number, 1 to 99. */
export function roundRank(rank: number): number {
  return Math.min(99, Math.max(1, Math.round(rank)));
}

/** T score `50 + 10 (x - mean) / SD`; null if nothing varies. */
export function computeTScore(x: number, { mean, sd }: Pick<Distribution, "mean" | "sd">): number | null {
  return sd > 0 ? 50 + (10 * (x - mean)) / sd : null;
}
