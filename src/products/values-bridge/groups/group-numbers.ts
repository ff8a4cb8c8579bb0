// Shape of the numbers of a closed group: what its members want and have, on average (see docs/groups.md).
import type * as proto from "../../../gen/assessment/v1/group_service_pb.ts";
import type { ShapeOf } from "../../../json/shape-of.ts";
import type { OfValue } from "../scoring/model.ts";

/** Numbers of the members of one group. Computed once, when it closes; they never change. */
export interface GroupNumbers {
  /** Number of members they are of, 5 or more. */
  readonly members: number;
  /** Every value of the assessment version, in ascending value id. */
  readonly values: readonly GroupValue[];
  readonly totals: GroupTotals;
}

/**
 * The three measures of one value, in points of -100..100; all are null if they are withheld. Scores are centred, minus the
 * mean of all scores of that life. Gaps are as in results; positive: lived less than wanted.
 */
export interface GroupValue extends OfValue<GroupMeasure | null> {
  /** Why there are no measures; null if there are. */
  readonly withheld: ValueWithheld | null;
}

/** `uniform`: all members are equal in a measure of the value, or in one whose mean would follow from this one. */
export type ValueWithheld = "uniform";

interface Own {
  readonly "assessment.v1.GroupMeasure": { readonly interval: readonly [number, number] | null };
}

/** One measure of one value at one decimal, and how far the members agree in it: at two decimals. */
export type GroupMeasure = ShapeOf<proto.GroupMeasure, Own>;

/**
 * The totals of results, computed from the group's means: 0..100. Null if the version has no such total, or if the measures
 * of a value are withheld.
 */
export interface GroupTotals {
  readonly totalGap: number | null;
  readonly harmony: number | null;
  readonly conflict: number | null;
}
