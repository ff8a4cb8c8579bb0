// What changed between two sessions of a person, as a message.
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { CompletedSession, PersonChange } from "../../domain/sessions/results/change.ts";
import type { GetChangeResponseSchema } from "../../gen/assessment/v1/subject_service_pb.ts";
import type { ProductMessages } from "../../products/product.ts";
import { toTimestamp } from "../sessions/session-messages.ts";

/** The change of a person, with the sessions that it is between. */
export function toPersonChangeMessage(
  externalId: string,
  { from, to, comparison, reliable }: PersonChange,
  messages: ProductMessages,
): MessageInitShape<typeof GetChangeResponseSchema> {
  return {
    externalId,
    from: toReference(from),
    to: toReference(to),
    change: messages.change(comparison, reliable),
  };
}

function toReference({ session: { id, completedAt } }: CompletedSession) {
  return { sessionId: id, completedAt: toTimestamp(completedAt) };
}
