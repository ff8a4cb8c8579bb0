// The error of the gaps between the two lives.
import type { Gap } from "../../scoring/formulas/gaps.ts";
import { at } from "../../scoring/lists.ts";
import type { LifeContext } from "../../scoring/model.ts";
import type { GapError } from "../quality.ts";
import { certaintyOf } from "./certainty.ts";
import type { PairSums } from "./pairs.ts";
import { standardError } from "./standard-error.ts";

/**
 * Standard error of the gap of one value, in points. Where exactly the same statements are answered in both lives, how
 * attractive each of them is cancels out, and the variance of the differences counts. Else the errors of both scores do.
 * @param variance of the differences, in squared scale points; null if there is none
 * @param scoreErrors of the value's scores in the two lives
 */
export function gapStandardError(
  pairs: PairSums,
  variance: number | null,
  scoreErrors: Readonly<Record<LifeContext, number | null>>,
  span: number,
): number | null {
  if (pairs.isWhole) return variance === null ? null : standardError(variance, span, pairs);
  const { ideal, current } = scoreErrors;
  return ideal === null || current === null ? null : Math.hypot(ideal, current);
}

/** The gaps with their errors; null if a value has none. Both lists are in the same order. */
export function gapErrors(
  gaps: readonly (Gap | null)[],
  standardErrors: readonly (number | null)[],
): (GapError | null)[] {
  const count = gaps.filter((gap) => gap !== null).length;
  return gaps.map((gap, index) => {
    if (gap === null) return null;
    const error = at(standardErrors, index);
    const certainty = error === null ? null : certaintyOf(gap.gap / error, count);
    return { reported: gap.reported, standardError: error, certainty };
  });
}
