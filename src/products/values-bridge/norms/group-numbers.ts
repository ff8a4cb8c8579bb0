// The numbers that a released group has; groups themselves come later.
import { roundingTo } from "../scoring/rounding.ts";

const round1 = roundingTo(1);
const leastMembers = 5;

export interface GroupNumbers {
  readonly n: number | null;
  readonly mean: number | null;
  readonly sd: number | null;
}

/** Number, mean and standard deviation to one decimal. Null below 5 members, and mean and SD where all are equal. */
export function groupNumbers(members: readonly number[]): GroupNumbers {
  const n = members.length;
  if (n < leastMembers) return { n: null, mean: null, sd: null };
  if (members.every((member) => member === members[0])) return { n, mean: null, sd: null };
  const mean = members.reduce((sum, member) => sum + member, 0) / n;
  const squares = members.reduce((sum, member) => sum + (member - mean) ** 2, 0);
  return { n, mean: round1(mean), sd: round1(Math.sqrt(squares / (n - 1))) };
}
