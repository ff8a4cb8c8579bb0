// Numbers of groups as messages. Null means "withheld" in the domain; in a message that is an absent field.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GroupNumbersSchema } from "../../../gen/assessment/v1/group_service_pb.ts";
import type { GroupMeasure, GroupNumbers, Summary } from "../groups/group-numbers.ts";

/** The numbers of a group. */
export function toGroupNumbersMessage(numbers: GroupNumbers): MessageInitShape<typeof GroupNumbersSchema> {
  const { members, values, totals, archetypes } = numbers;
  return {
    members,
    values: values.map(({ valueId, ideal, current, gap, withheld }) => ({
      valueId,
      ideal: toMeasure(ideal),
      current: toMeasure(current),
      gap: toMeasure(gap),
      uniform: withheld === "uniform",
    })),
    totalGap: toSummary(totals.totalGap),
    harmony: toSummary(totals.harmony),
    conflict: toSummary(totals.conflict),
    archetypes: [...archetypes],
  };
}

function toMeasure(measure: GroupMeasure | null) {
  if (measure === null) return undefined;
  return { ...measure, interval: [...measure.interval], icc1: measure.icc1 ?? undefined };
}

function toSummary(summary: Summary | null) {
  return summary === null ? undefined : { ...summary, interval: [...summary.interval] };
}
