// Histograms, and the distributions that they show.
import type * as proto from "../../../../gen/assessment/v1/norm_service_pb.ts";
import type { ShapeOf } from "../../../../json/shape-of.ts";
import { at, roundingTo } from "../../scoring/exact.ts";

/** Counts of equal steps, with the value of the first step and the width of a step. */
export interface Histogram {
  readonly counts: readonly number[];
  readonly from: number;
  readonly step: number;
}

export interface Moments {
  readonly n: number;
  readonly mean: number;
  /** With n - 1. */
  readonly sd: number;
}

/** Number, mean and standard deviation; null below 2 people. */
export function computeMoments({ counts, from, step }: Histogram): Moments | null {
  let [n, sum, squares] = [0, 0, 0];
  for (const [place, count] of counts.entries()) {
    n += count;
    sum += count * place;
    squares += count * place * place;
  }
  if (n < 2) return null;
  return { n, mean: from + (step * sum) / n, sd: step * Math.sqrt((n * squares - sum * sum) / (n * (n - 1))) };
}

/** Mid-rank percentile `100 (below + equal / 2) / n` of each step, unrounded; n is 1 or more. */
export function percentileRanks(counts: readonly number[]): number[] {
  const n = counts.reduce((sum, count) => sum + count, 0);
  let below = 0;
  return counts.map((count) => {
    const rank = (100 * (below + count / 2)) / n;
    below += count;
    return rank;
  });
}

/** Half of the width of the 95 % interval of a percentile rank, which is above 0 at the ends too (Wilson 1927). @param rank 0..100 */
export function percentileHalfWidth(rank: number, n: number): number {
  const p = rank / 100;
  const square = 1.96 ** 2 / n;
  return (100 * Math.sqrt(square * (p * (1 - p) + square / 4))) / (1 + square);
}

/** T score `50 + 10 (x - mean) / SD`; null if nothing varies. */
export function tScore(x: number, { mean, sd }: Pick<Moments, "mean" | "sd">): number | null {
  return sd > 0 ? 50 + (10 * (x - mean)) / sd : null;
}

/** Standard error of measurement `SD sqrt(1 - reliability)`; null without a reliability. */
export function measurementError(sd: number, reliability: number | null): number | null {
  return reliability === null ? null : sd * Math.sqrt(Math.max(0, 1 - reliability));
}

/** In points. Between two edges ranks are linear. */
export type Distribution = ShapeOf<proto.Distribution>;

const round1 = roundingTo(1);
const round2 = roundingTo(2);

/** Of exact counts by bin, from the edge `from` on; mean and standard deviation are of the bins. Null below 2 people. */
export function computeDistribution(counts: readonly number[], from: number, step: number): Distribution | null {
  const moments = computeMoments({ counts, from: from + step / 2, step });
  if (moments === null) return null;
  const { n, mean, sd } = moments;
  const ranks = [0];
  let below = 0;
  for (const count of counts) {
    below += count;
    ranks.push((100 * below) / n);
  }
  return roundedDistribution({
    mean,
    sd,
    from,
    step,
    percentiles: ranks,
    halfWidths: ranks.map((rank) => percentileHalfWidth(rank, n)),
  });
}

/** As it is reported: means with two decimals, ranks and their half-widths with one. */
export function roundedDistribution(distribution: Distribution): Distribution {
  const { mean, sd, percentiles, halfWidths } = distribution;
  return {
    ...distribution,
    mean: round2(mean),
    sd: round2(sd),
    percentiles: percentiles.map(round1),
    halfWidths: halfWidths.map(round1),
  };
}

/** The percentile rank of a number, unrounded. Beyond the last edges people are as likely above as below it. */
export function rankAt(
  { from, step, percentiles, halfWidths }: Distribution,
  x: number,
): { readonly rank: number; readonly halfWidth: number } {
  const last = percentiles.length - 1;
  const place = (x - from) / step;
  if (place < 0) return { rank: at(percentiles, 0) / 2, halfWidth: at(halfWidths, 0) };
  // The division may miss the last edge by a rounding error.
  if (place > last + 1e-9) return { rank: (100 + at(percentiles, last)) / 2, halfWidth: at(halfWidths, last) };
  const bin = Math.min(last - 1, Math.floor(place));
  const between = (ends: readonly number[]) => at(ends, bin) + (place - bin) * (at(ends, bin + 1) - at(ends, bin));
  return { rank: between(percentiles), halfWidth: between(halfWidths) };
}

/** As ranks are returned: whole numbers, 1 to 99. */
export function wholeRank(rank: number): number {
  return Math.min(99, Math.max(1, Math.round(rank)));
}
