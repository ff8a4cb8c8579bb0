// WebhookService: messages in, use cases, messages out.
import type { MessageInitShape } from "@bufbuild/protobuf";
import { operatorClientId } from "../../domain/identifiers.ts";
import { type Endpoint, endpointState, maxEndpoints, mostBacklog } from "../../domain/webhooks/endpoint.ts";
import {
  WebhookDisabledReason,
  type WebhookEndpointSchema,
  WebhookEndpointState,
  WebhookEndpointStatus,
  type WebhookService,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import { byWord } from "../../json/members.ts";
import { notFound } from "../../kernel/errors/refusal.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import { deadlineOf, type PipelineCall, principalOf } from "../../pipeline/pipeline.ts";
import { toTimestamp } from "../sessions/session-messages.ts";
import { listAttempts, listParked, outcomeOf } from "./delivery-log.ts";
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

const reasons = byWord(WebhookDisabledReason);
const endpointStates = byWord(WebhookEndpointState);
const beforeAll = "00000000-0000-0000-0000-000000000000";

/** The implementation of WebhookService. */
export function webhookService(deps: WebhookDeps & TestDeliveryDeps): ServiceImpl<typeof WebhookService> {
  const counted = async (endpoint: Endpoint, context: PipelineCall) =>
    toEndpointMessage(endpoint, await deps.webhooks.countBacklog(endpoint, mostBacklog, deadlineOf(context).signal));
  return {
    async createWebhookEndpoint(request, context) {
      const { endpoint, secret } = await createEndpoint(deps, callerOf(context), request, deadlineOf(context));
      context.auditSubjects.push({ targetId: endpoint.id });
      return { endpoint: await counted(endpoint, context), secret };
    },
    async getWebhookEndpoint({ endpointId }, context) {
      const endpoint = await getEndpoint(deps, partnerOf(context), endpointId, deadlineOf(context));
      return { endpoint: await counted(endpoint, context) };
    },
    async listWebhookEndpoints(_, context) {
      const endpoints = [];
      // In sequence: a call uses one connection.
      const { signal } = deadlineOf(context);
      for (const endpoint of await deps.webhooks.listEndpoints(partnerOf(context), beforeAll, maxEndpoints, signal)) {
        endpoints.push(await counted(endpoint, context));
      }
      return { endpoints };
    },
    async updateWebhookEndpoint(update, context) {
      const reason = principalOf(context).clientId === operatorClientId ? "operator" : "partner";
      const endpoint = await updateEndpoint(deps, callerOf(context), update, deadlineOf(context), reason);
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
      const result = await sendTest(deps, callerOf(context), endpointId, deadlineOf(context));
      const { status, error, tookMs } = result;
      return { outcome: outcomeOf(result), status: status ?? undefined, error: error ?? "", tookMs };
    },
    listWebhookAttempts: (query, context) => listAttempts(deps, partnerOf(context), query, deadlineOf(context)),
    listParkedEvents: (query, context) => listParked(deps, partnerOf(context), query, deadlineOf(context)),
    async redeliverEvents({ endpointId, eventIds }, context) {
      const redelivered = await redeliverEvents(deps, callerOf(context), endpointId, eventIds, deadlineOf(context));
      return { redelivered };
    },
    async replayEvents(range, context) {
      const endpoint = await replayEvents(deps, callerOf(context), range, deadlineOf(context));
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

function partnerOf(context: PipelineCall): string {
  return principalOf(context).partnerId;
}

function callerOf(context: PipelineCall): WebhookCaller {
  const { partnerId, scopes } = principalOf(context);
  return { partnerId, mayNamePersons: scopes.has("sessions:read") };
}

function toEndpointMessage(endpoint: Endpoint, backlog: number): MessageInitShape<typeof WebhookEndpointSchema> {
  const { id, url, description, types, includeExternalId, disabledReason, replay, failures } = endpoint;
  return {
    ...{ endpointId: id, url, description, types: [...types], includeExternalId, failures, backlog },
    status: disabledReason === null ? WebhookEndpointStatus.ENABLED : WebhookEndpointStatus.DISABLED,
    disabledReason: disabledReason === null ? WebhookDisabledReason.UNSPECIFIED : reasons[disabledReason],
    createdAt: toTimestamp(endpoint.createdAt),
    sequence: BigInt(endpoint.sequence),
    failingSince: toTimestamp(endpoint.failingSince),
    ...(replay === null ? {} : { replay: { after: BigInt(replay.after), until: BigInt(replay.until) } }),
    state: endpointStates[endpointState(endpoint)],
    nextAttemptAt: toTimestamp(endpoint.restUntil),
  };
}
