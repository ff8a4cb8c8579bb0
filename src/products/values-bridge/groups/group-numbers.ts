// Shape of the numbers of a closed group: what its members want and live, on average (see docs/groups.md).
import type * as proto from "../../../gen/assessment/v1/group_service_pb.ts";
import type { ShapeOf } from "../../../json/messages.ts";

interface FieldOverrides {
  readonly "assessment.v1.GroupMeasure": { readonly interval: readonly [number, number] | null };
}

interface Absent {
  readonly "assessment.v1.GroupValue": "ideal" | "current" | "gap";
}

/** Numbers of one group, computed when it closes. */
export type GroupNumbers = ShapeOf<proto.GroupNumbers, FieldOverrides, Absent>;

/**
 * The measures of one value, in points of -100..100. Scores are centred: minus the mean of all scores of that life. Gaps are as
 * in results; positive: lived less than wanted. All are null if the value is `uniform`: all members are equal in one of its
 * measures, or the mean of such a value could be computed from it.
 */
export type GroupValue = ShapeOf<proto.GroupValue, FieldOverrides, Absent>;

/** One measure of one value, with one decimal, and how far the members agree, with two. */
export type GroupMeasure = ShapeOf<proto.GroupMeasure, FieldOverrides>;
