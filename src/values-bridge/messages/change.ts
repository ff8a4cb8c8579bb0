// Change as a message. Null means "nothing to say" in the domain; in a message that is an absent field.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type Change as ChangeMessage,
  ChangeSchema,
  type MeasuredChangeSchema,
} from "../../gen/assessment/v1/change_pb.ts";
import type { Change, SessionComparison } from "../quality/change/comparison.ts";
import { grades, toCertainty, toVariances } from "./quality.ts";

/** What changed between two sessions. */
export function toChangeMessage(comparison: SessionComparison): ChangeMessage {
  const { model, version, comparable, statements } = comparison;
  return create(ChangeSchema, {
    model,
    version,
    comparable,
    grades: comparison.grades.map((grade) => grades[grade]),
    statements:
      statements === null
        ? undefined
        : {
            tests: statements.tests,
            expectedByChance: statements.expectedByChance,
            variance: toVariances(statements.variance),
            values: statements.values.map(({ valueId, ideal, current, gap }) => ({
              valueId,
              ideal: toMeasured(ideal),
              current: toMeasured(current),
              gap: toMeasured(gap),
            })),
          },
  });
}

function toMeasured(change: Change | null): MessageInitShape<typeof MeasuredChangeSchema> | undefined {
  if (change === null) return undefined;
  return {
    change: change.change,
    standardError: change.standardError ?? undefined,
    index: change.index ?? undefined,
    consistent: toCertainty(change.consistent),
  };
}
