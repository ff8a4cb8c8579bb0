// Reported numbers as whole numbers: every one has two decimals at most.

/** Stored numbers are hundredths. */
const units = 100;
/** The greatest reported number, in hundredths. */
export const maxScore = 100 * units;

/** Throws RangeError for a number with more decimals. */
export function hundredths(value: number | null): number | null {
  if (value === null) return null;
  const whole = Math.round(value * units);
  if (whole / units !== value) throw new RangeError("a reported number has more than two decimals");
  return whole;
}

export function score(value: number | null): number | null {
  return value === null ? null : value / units;
}
