// Rounding that gives the decimals exact arithmetic would give, although sums of doubles miss by an ulp.

/** Takes back ties that a sum misses by an ulp; in units of the last reported decimal. */
const REPORT_TOLERANCE = 1e-6;

const ORDER_UNITS = 1e9;

/** The same for numbers up to 100 at nine decimals, where an ulp weighs more; in units of the ninth decimal. */
const ORDER_TOLERANCE = 1e-3;

export type Round = (value: number) => number;

/** Rounding to `decimals` places, half away from zero, never -0: how every reported number is rounded. */
export function roundingTo(decimals: number): Round {
  const units = 10 ** decimals;
  return (value) => {
    const magnitude = Math.floor(Math.abs(value) * units + 0.5 + REPORT_TOLERANCE) / units;
    return value < 0 ? 0 - magnitude : magnitude;
  };
}

/**
 * A number from 0 to 100 at nine decimals, half up: what orders compare, so that numbers which are equal by mathematics
 * are equal here, whatever order they were summed in.
 */
export function roundForOrder(value: number): number {
  return Math.floor(value * ORDER_UNITS + 0.5 + ORDER_TOLERANCE) / ORDER_UNITS;
}
