// Norms, and what changed between two sessions of a person, as JSON of the interface.
import { ChangeSchema } from "../../gen/assessment/v1/change_pb.ts";
import { type GetNormsResponse, GetNormsResponseSchema } from "../../gen/assessment/v1/norm_service_pb.ts";
import type { CompletedSessionReference, GetChangeResponse } from "../../gen/assessment/v1/subject_service_pb.ts";
import { pairs } from "../../products/values-bridge/json/schemas.ts";
import { messageToJson } from "../../transport/http/bodies/message-json.ts";
import { toDateTime } from "../sessions/session-json.ts";

/** Norms: what is not released is null, with its reason. */
export function toNorms(norms: GetNormsResponse): Record<string, unknown> {
  return messageToJson(GetNormsResponseSchema, norms, pairs);
}

/** A change, with the sessions that it is between. */
export function toPersonChange({ externalId, from, to, change }: GetChangeResponse) {
  return {
    subject: { externalId },
    from: toReference(from),
    to: toReference(to),
    change: change && messageToJson(ChangeSchema, change),
  };
}

function toReference(reference: CompletedSessionReference | undefined) {
  return reference && { sessionId: reference.sessionId, completedAt: toDateTime(reference.completedAt) };
}
