// WebhookService: messages in, use cases, messages out.
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { operatorClientId, parseUuid } from "../../domain/identifiers.ts";
import { type Endpoint, maxEndpoints, mostBacklog } from "../../domain/webhooks/endpoint.ts";
import type { WebhookService } from "../../gen/assessment/v1/webhook_service_pb.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import { addAuditSubject, deadlineOf, principalOf } from "../../pipeline/call.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { listAttempts, listParked } from "./delivery-log.ts";
import {
  createEndpoint,
  getEndpoint,
  rotateSecret,
  sendTest,
  type TestDeliveryDeps,
  updateEndpoint,
  type WebhookCaller,
  type WebhookDeps,
} from "./endpoints.ts";
import { redeliverEvents, replayEvents } from "./redelivery.ts";
import { toAttemptMessage, toEndpointMessage, toParkedMessage, toTestMessage } from "./webhook-messages.ts";

const beforeAll = "00000000-0000-0000-0000-000000000000";

/** The implementation of WebhookService. */
export function webhookService(deps: WebhookDeps & TestDeliveryDeps): ServiceImpl<typeof WebhookService> {
  const counted = async (endpoint: Endpoint, context: HandlerContext) =>
    toEndpointMessage(endpoint, await deps.webhooks.countBacklog(endpoint, mostBacklog, deadlineOf(context).signal));
  return {
    async createWebhookEndpoint(request, context) {
      const { endpoint, secret } = await createEndpoint(deps, callerOf(context), request, deadlineOf(context));
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
      const { signal } = deadlineOf(context);
      for (const endpoint of await deps.webhooks.listEndpoints(partnerOf(context), beforeAll, maxEndpoints, signal)) {
        endpoints.push(await counted(endpoint, context));
      }
      return { endpoints };
    },
    async updateWebhookEndpoint({ endpointId, ...update }, context) {
      const reason = principalOf(context).clientId === operatorClientId ? "operator" : "partner";
      const endpoint = await updateEndpoint(deps, callerOf(context), endpointId, update, deadlineOf(context), reason);
      return { endpoint: await counted(endpoint, context) };
    },
    async deleteWebhookEndpoint({ endpointId }, context) {
      const id = parseUuid(endpointId);
      const { signal } = deadlineOf(context);
      if (id === undefined || !(await deps.webhooks.deleteEndpoint(partnerOf(context), id, signal))) throw notFound();
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
      const query = { after, pageSize, only: outcome };
      const { entries, next } = await listAttempts(deps, partnerOf(context), endpointId, query, deadlineOf(context));
      return { attempts: entries.map(toAttemptMessage), next };
    },
    async listParkedEvents({ endpointId, after, pageSize, state }, context) {
      const query = { after, pageSize, only: state };
      const { entries, next } = await listParked(deps, partnerOf(context), endpointId, query, deadlineOf(context));
      return { events: entries.map(toParkedMessage), next };
    },
    async redeliverEvents({ endpointId, eventIds }, context) {
      const redelivered = await redeliverEvents(deps, callerOf(context), endpointId, eventIds, deadlineOf(context));
      return { redelivered };
    },
    async replayEvents({ endpointId, after, until }, context) {
      const range = { after, until };
      const endpoint = await replayEvents(deps, callerOf(context), endpointId, range, deadlineOf(context));
      return { endpoint: await counted(endpoint, context) };
    },
    async cancelReplay({ endpointId }, context) {
      const endpoint = await getEndpoint(deps, partnerOf(context), endpointId, deadlineOf(context));
      await deps.webhooks.cancelReplay(endpoint, deadlineOf(context).signal);
      const ended = await getEndpoint(deps, partnerOf(context), endpointId, deadlineOf(context));
      return { endpoint: await counted(ended, context) };
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
