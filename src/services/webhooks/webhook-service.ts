// WebhookService: endpoints, what was sent to them, and what is sent again.

import { NIL } from "uuid";
import { parseEventId } from "../../domain/events/event.ts";
import { cursorNumber } from "../../domain/events/event-cursor.ts";
import { maxEndpoints } from "../../domain/webhooks/endpoint.ts";
import type { WebhookService } from "../../gen/assessment/v1/webhook_service_pb.ts";
import { details } from "../../kernel/errors/details.ts";
import { invalidRequest, notFound, Refusal, refuseIfAny } from "../../kernel/errors/refusal.ts";
import { parseUuid } from "../../kernel/ids.ts";
import { deadlineOf, type PipelineCall, principalOf } from "../../pipeline/call.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import type { Needs } from "../dependencies.ts";
import { listAttempts, listParked, outcomeOf } from "./delivery-log.ts";
import {
  createEndpoint,
  describeEndpoint,
  getEndpoint,
  getEndpointToChange,
  rotateSecret,
  sendTest,
  updateEndpoint,
  type WebhookDeps,
} from "./endpoints.ts";

const beforeAll = NIL;

/** The implementation of WebhookService. */
export function webhookService(deps: WebhookDeps & Needs<"sender">): ServiceImpl<typeof WebhookService> {
  const { webhooks, events } = deps;
  const find = (endpointId: string, context: PipelineCall) =>
    getEndpoint(deps, principalOf(context).partnerId, endpointId, deadlineOf(context));
  /** Throws `endpoint_disabled` as well. */
  const findEnabled = async (endpointId: string, context: PipelineCall) => {
    const endpoint = await getEndpointToChange(deps, principalOf(context), endpointId, deadlineOf(context));
    if (endpoint.disabledReason === null) return endpoint;
    throw new Refusal("endpoint_disabled", details.endpoint_disabled);
  };
  const describe = async (endpointId: string, context: PipelineCall) => ({
    endpoint: await describeEndpoint(deps, await find(endpointId, context), deadlineOf(context)),
  });
  return {
    async createWebhookEndpoint(request, context) {
      const response = await createEndpoint(deps, principalOf(context), request, deadlineOf(context));
      context.auditSubjects.push({ targetId: response.endpoint.endpointId });
      return response;
    },
    getWebhookEndpoint: ({ endpointId }, context) => describe(endpointId, context),
    async listWebhookEndpoints(_, context) {
      const [{ partnerId }, deadline] = [principalOf(context), deadlineOf(context)];
      const endpoints = [];
      // In sequence: a call uses one connection.
      for (const endpoint of await webhooks.listEndpoints(partnerId, beforeAll, maxEndpoints, deadline.signal)) {
        endpoints.push(await describeEndpoint(deps, endpoint, deadline));
      }
      return { endpoints };
    },
    async updateWebhookEndpoint(update, context) {
      return { endpoint: await updateEndpoint(deps, principalOf(context), update, deadlineOf(context)) };
    },
    async deleteWebhookEndpoint({ endpointId }, context) {
      const id = parseUuid(endpointId);
      const { partnerId } = principalOf(context);
      if (id === undefined || !(await webhooks.deleteEndpoint(partnerId, id, deadlineOf(context).signal)))
        throw notFound();
      return {};
    },
    rotateWebhookSecret: (request, context) => rotateSecret(deps, principalOf(context), request, deadlineOf(context)),
    async testWebhookEndpoint({ endpointId }, context) {
      const result = await sendTest(deps, principalOf(context), endpointId, deadlineOf(context));
      const { status, error, tookMs } = result;
      return { outcome: outcomeOf(result), status: status ?? undefined, error: error ?? "", tookMs };
    },
    listWebhookAttempts: (query, context) =>
      listAttempts(deps, principalOf(context).partnerId, query, deadlineOf(context)),
    listParkedEvents: (query, context) => listParked(deps, principalOf(context).partnerId, query, deadlineOf(context)),

    /** Redelivers events by their ids, as far as they are still kept. */
    async redeliverEvents({ endpointId, eventIds }, context) {
      const parsed = eventIds.map(parseEventId);
      const detail = "An id of an event looks like evt_019b2f7c41d27a3e9c0d5f1a2b3c4d5e_completed.";
      refuseIfAny(
        parsed.flatMap((event, index) =>
          event === undefined ? [{ path: ["eventIds", index], code: "invalid_format", detail }] : [],
        ),
      );
      const endpoint = await findEnabled(endpointId, context);
      const eventNames = parsed.filter((event) => event !== undefined);
      return { redelivered: await webhooks.redeliver(endpoint, eventNames, deadlineOf(context).signal) };
    },

    /** Redelivers a range of the log: from the oldest event that is kept, and up to the endpoint's position, unless stated. */
    async replayEvents({ endpointId, after, until }, context) {
      const { signal } = deadlineOf(context);
      const refuse = (path: string, code: string, detail: string) => invalidRequest([{ path: [path], code, detail }]);
      const [from, to] = [cursorNumber(after), cursorNumber(until)];
      const cursorDetail = "A cursor is the `next` of a response of the feed, or the sequence of an event.";
      if (from === undefined) throw refuse("after", "invalid_format", cursorDetail);
      if (to === undefined) throw refuse("until", "invalid_format", cursorDetail);
      const endpoint = await findEnabled(endpointId, context);
      const { expired } = await events.findPartnerBounds(endpoint.partnerId, signal);
      const last = until === "" ? endpoint.sequence : to;
      if (after !== "" && from < expired) {
        throw new Refusal("events_expired", details.events_expired, { facts: { oldest: String(expired) } });
      }
      // Events after the endpoint's position are delivered anyway.
      if (last > endpoint.sequence)
        throw refuse(
          "until",
          "cursor_ahead",
          "The endpoint has not reached this event yet: it will be delivered without a replay.",
        );
      if (from > last) throw refuse("after", "out_of_range", "The range ends before it begins.");
      if (!(await webhooks.beginReplay(endpoint, { after: Math.max(from, expired), until: last }, signal))) {
        throw new Refusal("replay_running", details.replay_running);
      }
      return describe(endpointId, context);
    },

    async cancelReplay({ endpointId }, context) {
      await webhooks.cancelReplay(await find(endpointId, context), deadlineOf(context).signal);
      return describe(endpointId, context);
    },
  };
}
