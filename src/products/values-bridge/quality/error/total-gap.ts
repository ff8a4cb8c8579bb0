// Whether the total gap is more than noise.
import type { Gap, TotalGap } from "../../scoring/formulas/gaps.ts";
import { at } from "../../scoring/lists.ts";
import type { TotalGapError } from "../quality.ts";

/** One-sided 5 %. */
const clear = 1.645;

/**
 * The total that noise alone would give. A mean of absolute values is biased upwards: each gap without a real
 * difference still has the size of a half-normal, whose mean is `sqrt(2/pi) SE` and variance `(1 - 2/pi) SE²`.
 * Null if there is no gap, or if a gap has no standard error.
 * @param gaps null if a value has none
 * @param standardErrors of the gaps, in the same order and in points
 */
export function totalGapError(
  total: TotalGap | null,
  gaps: readonly (Gap | null)[],
  standardErrors: readonly (number | null)[],
): TotalGapError | null {
  if (total === null) return null;
  let sum = 0;
  let squares = 0;
  for (const [index, gap] of gaps.entries()) {
    if (gap === null) continue;
    const error = at(standardErrors, index);
    if (error === null) return null;
    sum += gap.weight * error;
    squares += (gap.weight * error) ** 2;
  }
  const noise = (Math.sqrt(2 / Math.PI) * sum) / total.weightSum;
  const noiseSd = (Math.sqrt(1 - 2 / Math.PI) * Math.sqrt(squares)) / total.weightSum;
  return { total: total.reported, noise, noiseSd, aboveNoise: total.total > noise + clear * noiseSd };
}
