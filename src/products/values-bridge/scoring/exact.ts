// Exact scoring: sums of doubles may be wrong by an ulp, and are rounded as exact arithmetic would.

/** Above the error of a sum at a tie, in units of the last reported decimal. */
const reportTolerance = 1e-6;

const orderUnits = 1e9;

/** The same for numbers up to 100 at nine decimals, where an ulp weighs more; in units of the ninth decimal. */
const orderTolerance = 1e-3;

export type Round = (value: number) => number;

/** Creates the rounding of reported numbers: half away from zero, never -0. */
export function createRounder(decimals: number): Round {
  const units = 10 ** decimals;
  return (value) => {
    const magnitude = Math.floor(Math.abs(value) * units + 0.5 + reportTolerance) / units;
    return value < 0 ? 0 - magnitude : magnitude;
  };
}

/** Rounds a number of 0 to 100 to nine decimals, half up, for comparisons: sums in another order stay equal. */
export function roundForOrder(value: number): number {
  return Math.floor(value * orderUnits + 0.5 + orderTolerance) / orderUnits;
}

/** The element at an index. @throws RangeError if there is none */
export function at<T>(list: readonly T[], index: number): T {
  const element = list[index];
  if (element === undefined) throw new RangeError(`no element ${index} in a list of ${list.length}`);
  return element;
}

/** The sum, added from the first number on. */
export function addUp(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

export function findGreatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : findGreatestCommonDivisor(other, one % other);
}
