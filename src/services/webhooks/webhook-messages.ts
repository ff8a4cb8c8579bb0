// Webhook endpoints and their deliveries as messages.

import type { MessageInitShape } from "@bufbuild/protobuf";
import { eventId } from "../../domain/events/event.ts";
import { type Outcome, outcomeOf, type ParkedState, stateOf } from "../../domain/webhooks/delivery-log.ts";
import { type CountedEndpoint, endpointState } from "../../domain/webhooks/endpoint.ts";
import type { Attempt, ParkedEvent } from "../../domain/webhooks/webhook-port.ts";
import type { SendResult } from "../../domain/webhooks/webhook-sender-port.ts";
import {
  type ParkedEventSchema,
  ParkedEventState,
  type TestWebhookEndpointResponseSchema,
  type WebhookAttemptSchema,
  WebhookDisabledReason,
  type WebhookEndpointSchema,
  WebhookEndpointState,
  WebhookEndpointStatus,
  WebhookOutcome,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import { toTimestamp } from "../sessions/session-messages.ts";

const reasons = byWord(WebhookDisabledReason);
const outcomes = byWord(WebhookOutcome);
const states = byWord(ParkedEventState);
const endpointStates = byWord(WebhookEndpointState);

/** The endpoint as a message. */
export function toEndpointMessage(endpoint: CountedEndpoint): MessageInitShape<typeof WebhookEndpointSchema> {
  const { id, url, description, types, includeExternalId, disabledReason, replay, failingSince } = endpoint;
  const { restUntil, backlog } = endpoint;
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
    outcome: outcomes[outcomeOf(attempt)],
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
    state: states[stateOf(parked)],
    nextAt: toTimestamp(nextAt),
    deadAt: toTimestamp(deadAt),
  };
}

export function toTestMessage(result: SendResult): MessageInitShape<typeof TestWebhookEndpointResponseSchema> {
  const { status, error, tookMs } = result;
  return {
    outcome: outcomes[outcomeOf(result)],
    status: status ?? undefined,
    error: error ?? "",
    tookMs,
  };
}

/** The outcome that a request asks for; undefined: any. */
export function fromOutcome(outcome: WebhookOutcome): Outcome | undefined {
  return (Object.keys(outcomes) as Outcome[]).find((name) => outcomes[name] === outcome);
}

/** The state that a request asks for; undefined: any. */
export function fromParkedState(state: ParkedEventState): ParkedState | undefined {
  return (Object.keys(states) as ParkedState[]).find((name) => states[name] === state);
}
