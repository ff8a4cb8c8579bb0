// WebhookService: messages in, use cases of the domain, messages out.
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { operatorClientId } from "../../domain/identifiers.ts";
import { listAttempts, listParked } from "../../domain/webhooks/delivery-log.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  updateEndpoint,
  type WebhookCaller,
  type WebhookDeps,
  withBacklog,
} from "../../domain/webhooks/endpoints.ts";
import { cancelReplay, redeliverEvents, replayEvents } from "../../domain/webhooks/redelivery.ts";
import { rotateSecret } from "../../domain/webhooks/secret-rotation.ts";
import { sendTest, type TestDeliveryDeps } from "../../domain/webhooks/test-delivery.ts";
import {
  ParkedEventStateSchema,
  WebhookOutcomeSchema,
  WebhookResume,
  WebhookResumeSchema,
  type WebhookService,
  WebhookStart,
  WebhookStartSchema,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import { addAuditSubject, deadlineOf, principalOf } from "../../pipeline/context-values.ts";
import { requireKnown, toTimestamp } from "../sessions/session-messages.ts";
import {
  fromOutcome,
  fromParkedState,
  toAttemptMessage,
  toEndpointMessage,
  toParkedMessage,
  toTestMessage,
} from "./webhook-messages.ts";

/** The implementation of WebhookService. */
export function webhookService(deps: WebhookDeps & TestDeliveryDeps): ServiceImpl<typeof WebhookService> {
  const counted = async (endpoint: Endpoint, context: HandlerContext) =>
    toEndpointMessage(await withBacklog(deps, endpoint, deadlineOf(context)));
  return {
    async createWebhookEndpoint({ start, ...request }, context) {
      requireKnown(WebhookStartSchema, start, "start");
      const settings = { ...request, startsAtOldest: start === WebhookStart.OLDEST };
      const { endpoint, secret } = await createEndpoint(deps, callerOf(context), settings, deadlineOf(context));
      addAuditSubject(context, { targetId: endpoint.id });
      return { endpoint: await counted(endpoint, context), secret };
    },
    async getWebhookEndpoint({ endpointId }, context) {
      const endpoint = await getEndpoint(deps, partnerOf(context), endpointId, deadlineOf(context));
      return { endpoint: await counted(endpoint, context) };
    },
    async listWebhookEndpoints(_, context) {
      const endpoints = [];
      // One after the other: a call keeps one connection busy.
      for (const endpoint of await listEndpoints(deps, partnerOf(context), deadlineOf(context))) {
        endpoints.push(await counted(endpoint, context));
      }
      return { endpoints };
    },
    async updateWebhookEndpoint({ endpointId, types, enabled, resume, ...request }, context) {
      requireKnown(WebhookResumeSchema, resume, "resume");
      const { url, description, includeExternalId } = request;
      const settings = { url, description, includeExternalId, types: types?.values, isEnabled: enabled };
      const update = { ...settings, resumesNow: resume === WebhookResume.NOW };
      const reason = principalOf(context).clientId === operatorClientId ? "operator" : "partner";
      const endpoint = await updateEndpoint(deps, callerOf(context), endpointId, update, deadlineOf(context), reason);
      return { endpoint: await counted(endpoint, context) };
    },
    async deleteWebhookEndpoint({ endpointId }, context) {
      await deleteEndpoint(deps, partnerOf(context), endpointId, deadlineOf(context));
      return {};
    },
    async rotateWebhookSecret({ endpointId, overlapSeconds }, context) {
      const rotated = await rotateSecret(deps, callerOf(context), endpointId, overlapSeconds, deadlineOf(context));
      return { secret: rotated.secret, previousEndAt: toTimestamp(rotated.previousEndAt) };
    },
    async testWebhookEndpoint({ endpointId }, context) {
      return toTestMessage(await sendTest(deps, callerOf(context), endpointId, deadlineOf(context)));
    },
    async listWebhookAttempts({ endpointId, after, pageSize, outcome }, context) {
      requireKnown(WebhookOutcomeSchema, outcome, "outcome");
      const query = { after, pageSize, only: fromOutcome(outcome) };
      const { entries, next } = await listAttempts(deps, partnerOf(context), endpointId, query, deadlineOf(context));
      return { attempts: entries.map(toAttemptMessage), next };
    },
    async listParkedEvents({ endpointId, after, pageSize, state }, context) {
      requireKnown(ParkedEventStateSchema, state, "state");
      const query = { after, pageSize, only: fromParkedState(state) };
      const { entries, next } = await listParked(deps, partnerOf(context), endpointId, query, deadlineOf(context));
      return { events: entries.map(toParkedMessage), next };
    },
    async redeliverEvents({ endpointId, eventIds }, context) {
      return {
        redelivered: await redeliverEvents(deps, callerOf(context), endpointId, eventIds, deadlineOf(context)),
      };
    },
    async replayEvents({ endpointId, after, until }, context) {
      const range = { after, until };
      const endpoint = await replayEvents(deps, callerOf(context), endpointId, range, deadlineOf(context));
      return { endpoint: await counted(endpoint, context) };
    },
    async cancelReplay({ endpointId }, context) {
      const endpoint = await cancelReplay(deps, partnerOf(context), endpointId, deadlineOf(context));
      return { endpoint: await counted(endpoint, context) };
    },
  };
}

function partnerOf(context: HandlerContext): string {
  return principalOf(context).partnerId;
}

function callerOf(context: HandlerContext): WebhookCaller {
  const { partnerId, scopes } = principalOf(context);
  return { partnerId, mayNamePersons: scopes.has("sessions:read") };
}
