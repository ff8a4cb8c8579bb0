// Shape of the numbers of a closed group: what its members want and have, on average (see docs/groups.md).
import type * as proto from "../../../gen/assessment/v1/group_service_pb.ts";
import type { ShapeOf } from "../../../json/shape-of.ts";

interface FieldOverrides {
  readonly "assessment.v1.GroupMeasure": { readonly interval: readonly [number, number] | null };
}

interface Absent {
  readonly "assessment.v1.GroupValue": "ideal" | "current" | "gap";
}

/** Numbers of the members of one group. Computed once, when it closes; they never change. */
export type GroupNumbers = ShapeOf<proto.GroupNumbers, FieldOverrides, Absent>;

/**
 * The three measures of one value, in points of -100..100. Scores are centred, minus the mean of all scores of that life. Gaps
 * are as in results; positive: lived less than wanted. All are null if the value is `uniform`: all members are equal in a
 * measure of it, or in one whose mean would follow from this one.
 */
export type GroupValue = ShapeOf<proto.GroupValue, FieldOverrides, Absent>;

/** One measure of one value at one decimal, and how far the members agree in it: at two decimals. */
export type GroupMeasure = ShapeOf<proto.GroupMeasure, FieldOverrides>;
