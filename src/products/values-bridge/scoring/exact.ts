// What keeps scoring exact: rounding that gives the decimals which exact arithmetic would give, although sums of doubles miss
// by an ulp, and lists without holes.

/** Takes back ties that a sum misses by an ulp; in units of the last reported decimal. */
const reportTolerance = 1e-6;

const orderUnits = 1e9;

/** The same for numbers up to 100 at nine decimals, where an ulp weighs more; in units of the ninth decimal. */
const orderTolerance = 1e-3;

export type Round = (value: number) => number;

/** Rounding to `decimals` places, half away from zero, never -0: how every reported number is rounded. */
export function createRounder(decimals: number): Round {
  const units = 10 ** decimals;
  return (value) => {
    const magnitude = Math.floor(Math.abs(value) * units + 0.5 + reportTolerance) / units;
    return value < 0 ? 0 - magnitude : magnitude;
  };
}

/**
 * A number from 0 to 100 at nine decimals, half up: what orders compare, so that numbers which are equal by mathematics
 * are equal here, whatever order they were summed in.
 */
export function roundForOrder(value: number): number {
  return Math.floor(value * orderUnits + 0.5 + orderTolerance) / orderUnits;
}

/**
 * The element at an index that was checked when the model was compiled.
 * @throws RangeError if there is none.
 */
export function at<T>(list: readonly T[], index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`no element ${index} in a list of ${list.length}`);
  return element;
}

export function findGreatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : findGreatestCommonDivisor(other, one % other);
}
