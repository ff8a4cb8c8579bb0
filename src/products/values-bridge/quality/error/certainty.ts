// How sure it is that a difference is not 0.

import type { Certainty } from "../quality.ts";
import { criticalValue } from "../statistics/critical-value.ts";

/** Two-sided at 5 %, for one difference alone. */
const singleCritical = 1.96;

/**
 * `joint` if the difference is significant at 5 % among all `tests` (Bonferroni), `single` if it is on its own.
 * @param index the difference in standard errors
 * @param tests number of differences of that kind, 1 or more
 */
export function certaintyOf(index: number, tests: number): Certainty {
  const size = Math.abs(index);
  if (size >= criticalValue(tests)) return "joint";
  return size >= singleCritical ? "single" : "none";
}
