// The few statistics that figures are made of.

/** The value that the given share of the values does not exceed; NaN of nothing. @param share 0..1 */
export function percentile(values: readonly number[], share: number): number {
  const ascending = Float64Array.from(values).sort();
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * share))] ?? Number.NaN;
}

/** The value in the middle; of an even number of values the mean of the two; NaN of nothing. */
export function median(values: readonly number[]): number {
  const ascending = Float64Array.from(values).sort();
  const middle = ascending.length / 2;
  const upper = ascending[Math.floor(middle)] ?? Number.NaN;
  return Number.isInteger(middle) ? ((ascending[middle - 1] ?? Number.NaN) + upper) / 2 : upper;
}

/** The median of what both gave in the same round, one divided by the other: what drifts over the run cancels out. */
export function medianRatio(values: readonly number[], references: readonly number[]): number {
  return median(values.map((value, round) => value / (references[round] ?? Number.NaN)));
}
