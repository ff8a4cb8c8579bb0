// WebhookService: messages in, use cases of the domain, messages out.
import { listAttempts, listParked } from "../../domain/webhooks/delivery-log.ts";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
  type WebhookCaller,
  type WebhookDeps,
} from "../../domain/webhooks/endpoints.ts";
import { cancelReplay, redeliverEvents, replayEvents } from "../../domain/webhooks/redelivery.ts";
import { sendTest, type TestDeliveryDeps } from "../../domain/webhooks/test-delivery.ts";
import {
  ParkedEventStateSchema,
  WebhookOutcomeSchema,
  WebhookResume,
  WebhookResumeSchema,
  WebhookService,
  WebhookStart,
  WebhookStartSchema,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import { type Call, type Handlers, implement, principalOf } from "../../pipeline/implementation.ts";
import { requireKnown } from "../sessions/enums.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import {
  fromOutcome,
  fromParkedState,
  toAttemptMessage,
  toEndpointMessage,
  toParkedMessage,
  toTestMessage,
} from "./webhook-messages.ts";

/** The implementation of WebhookService. */
export function webhookService(deps: WebhookDeps & TestDeliveryDeps): Handlers {
  return implement(WebhookService, {
    async createWebhookEndpoint({ start, ...request }, call) {
      requireKnown(WebhookStartSchema, start, "start");
      const settings = { ...request, startsAtOldest: start === WebhookStart.OLDEST };
      const { endpoint, secret } = await createEndpoint(deps, callerOf(call), settings, call.deadline);
      call.concerns({ targetId: endpoint.id });
      return { endpoint: toEndpointMessage(endpoint), secret };
    },
    async getWebhookEndpoint({ endpointId }, call) {
      return { endpoint: toEndpointMessage(await getEndpoint(deps, partnerOf(call), endpointId, call.deadline)) };
    },
    async listWebhookEndpoints(_, call) {
      return { endpoints: (await listEndpoints(deps, partnerOf(call), call.deadline)).map(toEndpointMessage) };
    },
    async updateWebhookEndpoint({ endpointId, types, enabled, resume, ...request }, call) {
      requireKnown(WebhookResumeSchema, resume, "resume");
      const { url, description, includeExternalId } = request;
      const settings = { url, description, includeExternalId, types: types?.values, isEnabled: enabled };
      const update = { ...settings, resumesNow: resume === WebhookResume.NOW };
      const endpoint = await updateEndpoint(deps, callerOf(call), endpointId, update, call.deadline);
      return { endpoint: toEndpointMessage(endpoint) };
    },
    async deleteWebhookEndpoint({ endpointId }, call) {
      await deleteEndpoint(deps, partnerOf(call), endpointId, call.deadline);
      return {};
    },
    async rotateWebhookSecret({ endpointId, overlapSeconds }, call) {
      const rotated = await rotateSecret(deps, callerOf(call), endpointId, overlapSeconds, call.deadline);
      return { secret: rotated.secret, previousEndAt: toTimestamp(rotated.previousEndAt) };
    },
    async testWebhookEndpoint({ endpointId }, call) {
      return toTestMessage(await sendTest(deps, callerOf(call), endpointId, call.deadline));
    },
    async listWebhookAttempts({ endpointId, after, pageSize, outcome }, call) {
      requireKnown(WebhookOutcomeSchema, outcome, "outcome");
      const query = { after, pageSize, only: fromOutcome(outcome) };
      const { entries, next } = await listAttempts(deps, partnerOf(call), endpointId, query, call.deadline);
      return { attempts: entries.map(toAttemptMessage), next };
    },
    async listParkedEvents({ endpointId, after, pageSize, state }, call) {
      requireKnown(ParkedEventStateSchema, state, "state");
      const query = { after, pageSize, only: fromParkedState(state) };
      const { entries, next } = await listParked(deps, partnerOf(call), endpointId, query, call.deadline);
      return { events: entries.map(toParkedMessage), next };
    },
    async redeliverEvents({ endpointId, eventIds }, call) {
      return { redelivered: await redeliverEvents(deps, callerOf(call), endpointId, eventIds, call.deadline) };
    },
    async replayEvents({ endpointId, after, until }, call) {
      const range = { after, until };
      return {
        endpoint: toEndpointMessage(await replayEvents(deps, callerOf(call), endpointId, range, call.deadline)),
      };
    },
    async cancelReplay({ endpointId }, call) {
      return { endpoint: toEndpointMessage(await cancelReplay(deps, partnerOf(call), endpointId, call.deadline)) };
    },
  });
}

function partnerOf(call: Call): string {
  return principalOf(call).partnerId;
}

function callerOf(call: Call): WebhookCaller {
  const { partnerId, scopes } = principalOf(call);
  return { partnerId, mayNamePersons: scopes.has("sessions:read") };
}
