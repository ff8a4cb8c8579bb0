// Messages of webhook endpoints as the JSON of the interface.

import {
  type ParkedEvent,
  ParkedEventStateSchema,
  type TestWebhookEndpointResponse,
  type WebhookAttempt,
  WebhookDisabledReason,
  WebhookDisabledReasonSchema,
  type WebhookEndpoint,
  WebhookEndpointStatusSchema,
  WebhookOutcomeSchema,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { enumWord } from "../../transport/http/bodies/message-json.ts";
import { toDateTime } from "../sessions/session-json.ts";

/** WebhookEndpoint. */
export function toEndpoint(endpoint: WebhookEndpoint | undefined) {
  if (endpoint === undefined) throw new Refusal("internal", "The service made a mistake.");
  const { endpointId, url, description, types, includeExternalId, disabledReason, replay, failures } = endpoint;
  return {
    endpointId,
    url,
    description,
    types,
    includeExternalId,
    status: enumWord(WebhookEndpointStatusSchema, endpoint.status),
    disabledReason:
      disabledReason === WebhookDisabledReason.UNSPECIFIED
        ? null
        : enumWord(WebhookDisabledReasonSchema, disabledReason),
    createdAt: toDateTime(endpoint.createdAt),
    sequence: String(endpoint.sequence),
    failures,
    failingSince: toDateTime(endpoint.failingSince),
    replay: replay === undefined ? null : { after: String(replay.after), until: String(replay.until) },
  };
}

/** WebhookTestResult. */
export function toTestResult({ outcome, status, error, tookMs }: TestWebhookEndpointResponse) {
  return { outcome: enumWord(WebhookOutcomeSchema, outcome), status: status ?? null, error: error || null, tookMs };
}

export function toAttempt({ sequence, sessionId, attempt, at, outcome, status, error, tookMs }: WebhookAttempt) {
  return {
    sequence: String(sequence),
    sessionId: sessionId || null,
    attempt,
    at: toDateTime(at),
    outcome: enumWord(WebhookOutcomeSchema, outcome),
    status: status ?? null,
    error: error || null,
    tookMs,
  };
}

export function toParked({ eventId, sequence, sessionId, attempts, state, nextAt, deadAt }: ParkedEvent) {
  return {
    eventId: eventId || null,
    sequence: String(sequence),
    sessionId,
    attempts,
    state: enumWord(ParkedEventStateSchema, state),
    nextAt: toDateTime(nextAt),
    deadAt: toDateTime(deadAt),
  };
}
