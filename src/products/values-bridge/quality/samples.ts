// Small samples by their sums. With whole numbers the sums are exact, so that equal answers have a variance of exactly 0.

/** Least number of cells for a correlation or a mean. */
export const leastCells = 10;

/** Least number of degrees of freedom for a variance. */
export const leastDf = 30;

/** A sample by its number of members, their sum and the sum of their squares. */
export interface Sample {
  readonly count: number;
  readonly sum: number;
  readonly squares: number;
}

/** The sample of some numbers. */
export function sampleOf(members: readonly number[]): Sample {
  let sum = 0;
  let squares = 0;
  for (const member of members) {
    sum += member;
    squares += member * member;
  }
  return { count: members.length, sum, squares };
}

/** Sum of squared deviations from the mean of a sample that is not empty. */
export function squaredDeviations({ count, sum, squares }: Sample): number {
  return (count * squares - sum * sum) / count;
}

/** Squared deviations within samples, added up, and their degrees of freedom. */
export interface Pooled {
  readonly df: number;
  readonly squaredDeviations: number;
}

/** Pools the deviations of samples from their own means; an empty sample adds nothing. */
export function pool(samples: readonly Sample[]): Pooled {
  let df = 0;
  let total = 0;
  for (const sample of samples) {
    if (sample.count === 0) continue;
    df += sample.count - 1;
    total += squaredDeviations(sample);
  }
  return { df, squaredDeviations: total };
}

/** The mean of a list that is not empty. */
export function meanOf(members: readonly number[]): number {
  return members.reduce((sum, member) => sum + member, 0) / members.length;
}

/** Whether all members are the same number: sums of doubles would give most of them a variance just above 0. */
export function isConstant(members: readonly number[]): boolean {
  return members.every((member) => member === members[0]);
}
