// Webhook endpoints and their deliveries as messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { eventId } from "../../domain/events/event.ts";
import type { SendResult } from "../../domain/webhooks/deliveries.ts";
import { type Endpoint, endpointState } from "../../domain/webhooks/endpoint.ts";
import {
  type ParkedEventSchema,
  type TestWebhookEndpointResponseSchema,
  type WebhookAttemptSchema,
  WebhookDisabledReason,
  type WebhookEndpointSchema,
  WebhookEndpointState,
  WebhookEndpointStatus,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import type { Attempt, ParkedEvent } from "../../store/webhooks/rows.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { outcomeOf, stateOf } from "./delivery-log.ts";

const reasons = byWord(WebhookDisabledReason);
const endpointStates = byWord(WebhookEndpointState);

/** The endpoint as a message. @param backlog events that wait for it */
export function toEndpointMessage(endpoint: Endpoint, backlog: number): MessageInitShape<typeof WebhookEndpointSchema> {
  const { id, url, description, types, includeExternalId, disabledReason, replay, failingSince, restUntil } = endpoint;
  return {
    endpointId: id,
    url,
    description,
    types: [...types],
    includeExternalId,
    status: disabledReason === null ? WebhookEndpointStatus.ENABLED : WebhookEndpointStatus.DISABLED,
    disabledReason: disabledReason === null ? WebhookDisabledReason.UNSPECIFIED : reasons[disabledReason],
    createdAt: toTimestamp(endpoint.createdAt),
    sequence: BigInt(endpoint.sequence),
    failures: endpoint.failures,
    failingSince: toTimestamp(failingSince),
    ...(replay === null ? {} : { replay: { after: BigInt(replay.after), until: BigInt(replay.until) } }),
    state: endpointStates[endpointState(endpoint)],
    nextAttemptAt: toTimestamp(restUntil),
    backlog,
  };
}

export function toAttemptMessage(attempt: Attempt): MessageInitShape<typeof WebhookAttemptSchema> {
  const { sequence, sessionId, type, event, at, status, error, tookMs } = attempt;
  return {
    sequence: BigInt(sequence),
    sessionId: sessionId ?? "",
    attempt: attempt.attempt,
    at: toTimestamp(at),
    outcome: outcomeOf(attempt),
    status: status ?? undefined,
    error: error ?? "",
    tookMs,
    eventId: event === null ? "" : eventId(event),
    type: type ?? "",
  };
}

export function toParkedMessage(parked: ParkedEvent): MessageInitShape<typeof ParkedEventSchema> {
  const { sequence, sessionId, attempts, nextAt, deadAt, event } = parked;
  return {
    eventId: event === null ? "" : eventId(event),
    sequence: BigInt(sequence),
    sessionId: sessionId ?? "",
    attempts,
    state: stateOf(parked),
    nextAt: toTimestamp(nextAt),
    deadAt: toTimestamp(deadAt),
  };
}

export function toTestMessage(result: SendResult): MessageInitShape<typeof TestWebhookEndpointResponseSchema> {
  const { status, error, tookMs } = result;
  return { outcome: outcomeOf(result), status: status ?? undefined, error: error ?? "", tookMs };
}
