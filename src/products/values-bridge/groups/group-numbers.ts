// Shape of the numbers of a closed group: what its members want and have, on average (see docs/groups.md).
import type { OfValue } from "../scoring/model.ts";

/** Numbers of the members of one group. Computed once, when it closes; they never change. */
export interface GroupNumbers {
  /** Number of members they are of, 5 or more. */
  readonly members: number;
  /** Every value of the assessment version, in ascending value id. */
  readonly values: readonly GroupValue[];
  readonly totals: GroupTotals;
  /**
   * Members by archetype, in ascending archetype id. An archetype is listed if 5 members or more have it, and only while
   * those who are in no entry are none, or 5 or more. Empty where all members have the same one.
   */
  readonly archetypes: readonly ArchetypeCount[];
}

/**
 * The three measures of one value, in points of -100..100; all are null if they are withheld. Scores are centred, minus the
 * mean of all of the member's scores of that life. Gaps are as in results; positive: lived less than wanted.
 */
export interface GroupValue extends OfValue<GroupMeasure | null> {
  /** Why there are no measures; null if there are. */
  readonly withheld: ValueWithheld | null;
}

/** `uniform`: all members are equal in a measure of the value, or in one whose mean would follow from this one. */
export type ValueWithheld = "uniform";

/** Mean and spread of one number over the members. */
export interface Summary {
  /** Mean over the members, one decimal; gaps of fewer than 10 members in half steps of the answer scale. */
  readonly mean: number;
  /** Standard deviation (n - 1), above 0, one decimal. Null below 10 members, as is everything derived from it. */
  readonly sd: number | null;
  /** 95 % interval of the mean by Student's t with n - 1 degrees of freedom: lower and upper end, one decimal. */
  readonly interval: readonly [number, number] | null;
}

/** One measure of one value. */
export interface GroupMeasure extends Summary {
  /**
   * Agreement of the members, r_wg: 1 minus their variance in that of a uniform distribution over the range of the measure
   * (100 points for scores, 200 for gaps). 0..1 at two decimals, 0 where the variance is the greater one.
   */
  readonly rwg: number | null;
  /**
   * ICC(1) with members as classes and the statements of the value as repeated ratings: the share of the variance of
   * single ratings that lies between members. At most 1, may be below 0; two decimals. Null where it is not defined.
   */
  readonly icc1: number | null;
}

/** Points of 0..100. Null where all members are equal, or the version has no such total. */
export interface GroupTotals {
  readonly totalGap: Summary | null;
  readonly harmony: Summary | null;
  readonly conflict: Summary | null;
}

export interface ArchetypeCount {
  readonly archetypeId: number;
  /** 5 or more. */
  readonly members: number;
}
