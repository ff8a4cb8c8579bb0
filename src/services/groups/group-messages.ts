// Groups as messages.
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type GetGroupNumbersResponseSchema,
  type GroupSchema,
  GroupState,
  GroupWithheldReason,
} from "../../gen/assessment/v1/group_service_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import type { ProductMessages } from "../../products/product.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import type { getGroupNumbers, ReportedGroup } from "./groups.ts";

const reasons = byWord(GroupWithheldReason);

/** A group as its partner sees it. */
export function toGroupMessage({ group, assessment }: ReportedGroup): MessageInitShape<typeof GroupSchema> {
  const { id, product, label, createdAt, closesAt, closedAt } = group;
  return {
    groupId: id,
    product,
    label,
    state: closedAt === null ? GroupState.OPEN : GroupState.CLOSED,
    assessmentVersion: assessment.version,
    createdAt: toTimestamp(createdAt),
    closesAt: toTimestamp(closesAt),
    closedAt: toTimestamp(closedAt),
    ...group.counts,
  };
}

/** The numbers of a group, or why there are none. */
export function toNumbersMessage(
  { group, assessment, outcome }: Awaited<ReturnType<typeof getGroupNumbers>>,
  messages: ProductMessages,
): MessageInitShape<typeof GetGroupNumbersResponseSchema> {
  const { id, product, closedAt } = group;
  return {
    groupId: id,
    product,
    assessmentVersion: assessment.version,
    closedAt: toTimestamp(closedAt),
    ...("numbers" in outcome
      ? { numbers: messages.groupNumbers(outcome.numbers) }
      : { reason: reasons[outcome.reason] }),
  };
}
