// How sure it is that a difference is not 0.
import type { Certainty } from "../quality.ts";

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

/**
 * The quantile `z` of the standard normal distribution at `1 - 0.025 / tests`: a two-sided test at 5 %, divided by the
 * number of tests (Bonferroni). Relative error about 1e-16.
 *
 * Source: Wichura 1988, Algorithm AS 241 (PPND16), Applied Statistics 37, 477-484. Of its three branches only the
 * middle one is reached, which is for tail probabilities from 1.4e-11 to 0.075.
 * @param tests 1 to 1.8e9
 */
export function criticalValue(tests: number): number {
  const r = Math.sqrt(-Math.log(0.025 / tests)) - 1.6;
  return polynomial(numerator, r) / polynomial(denominator, r);
}

/** Coefficients of the rational approximation as doubles, the highest power first. */
const numerator = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
];
const denominator = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
];

function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduce((value, coefficient) => value * x + coefficient, 0);
}
