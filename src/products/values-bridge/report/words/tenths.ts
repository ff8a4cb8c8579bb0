// One rounding for every number that a reader may compare with another one.

/**
 * A number to one decimal, halves away from zero. Scores are quotients of doubles, so nine decimals decide what a half
 * is.
 */
export function tenths(value: number): number {
  const size = Math.round(Math.round(Math.abs(value) * 1e9) / 1e8) / 10;
  return value < 0 ? -size : size;
}
