// Comparing with thresholds: unrounded, yet a number that is the threshold by mathematics counts as the threshold.

/** More than sums of doubles miss, and less than two different ratios of small whole numbers differ. */
const slack = 1e-12;

/** Whether a number of the size of 1 is below a threshold. */
export function isBelow(value: number, threshold: number): boolean {
  return value < threshold - slack;
}

/** Whether a number of the size of 1 is above a threshold. */
export function isAbove(value: number, threshold: number): boolean {
  return value > threshold + slack;
}
