// Statistics of one number from a histogram of many people.

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
export function momentsOf({ counts, from, step }: Histogram): Moments | null {
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

/** Half of the width of the 95 % interval of a percentile rank: `196 sqrt(p (1 - p) / n)`. @param rank 0..100 */
export function percentileHalfWidth(rank: number, n: number): number {
  const p = rank / 100;
  return 196 * Math.sqrt((p * (1 - p)) / n);
}

/** T score `50 + 10 (x - mean) / SD`; null if nothing varies. */
export function tScore(x: number, { mean, sd }: Pick<Moments, "mean" | "sd">): number | null {
  return sd > 0 ? 50 + (10 * (x - mean)) / sd : null;
}

/** Standard error of measurement `SD sqrt(1 - reliability)`; null without a reliability. */
export function measurementError(sd: number, reliability: number | null): number | null {
  return reliability === null ? null : sd * Math.sqrt(Math.max(0, 1 - reliability));
}
