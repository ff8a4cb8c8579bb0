// Change as a message. Null means "nothing to say" in the domain; in a message that is an absent field.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type Change as ChangeMessage,
  ChangeSchema,
  type MeasuredChangeSchema,
  NoChangeReason,
  ReliableBasis,
  type ReliableChangesSchema,
} from "../../../gen/assessment/v1/change_pb.ts";
import { byWord } from "../../../kernel/json/members.ts";
import type { ReliableChanges } from "../norms/reliable-changes.ts";
import type { Change, SessionComparison } from "../quality/change/comparison.ts";
import { grades, toCertainty, toTranslationState, toVariances } from "./quality.ts";

const bases = byWord(ReliableBasis);
const reasons = byWord(NoChangeReason);

/** What changed between two sessions. @param reliable the changes judged by norms; null without norms */
export function toChangeMessage(comparison: SessionComparison, reliable: ReliableChanges | null): ChangeMessage {
  const { model, version, comparable, reason, statements } = comparison;
  return create(ChangeSchema, {
    model,
    version,
    comparable,
    reason: reason === null ? undefined : reasons[reason],
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
    norms: reliable === null ? undefined : toReliable(reliable),
  });
}

function toReliable({
  basis,
  translationState,
  values,
  ...source
}: ReliableChanges): MessageInitShape<typeof ReliableChangesSchema> {
  return {
    ...source,
    basis: bases[basis],
    translationState: toTranslationState(translationState),
    values: values.map(({ valueId, ideal, current, gap }) => ({
      valueId,
      ideal: ideal ?? undefined,
      current: current ?? undefined,
      gap: gap ?? undefined,
    })),
  };
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
