// WebhookService: endpoints, the attempts of their deliveries and parked events, and what is sent again.

import type { Message } from "@bufbuild/protobuf";
import { NIL } from "uuid";
import { parseEventId } from "../../domain/events/event.ts";
import { parseCursorNumber } from "../../domain/events/event-cursor.ts";
import { hasSucceeded } from "../../domain/webhooks/deliveries.ts";
import { maxEndpoints } from "../../domain/webhooks/endpoint.ts";
import {
  type ListParkedEventsRequest,
  type ListWebhookAttemptsRequest,
  ParkedEventState,
  WebhookOutcome,
  type WebhookService,
} from "../../gen/assessment/v1/webhook_service_pb.ts";
import { details } from "../../kernel/errors/details.ts";
import { invalidFieldError, notFoundError, Refusal, throwIfInvalid } from "../../kernel/errors/refusal.ts";
import { parseUuid } from "../../kernel/ids.ts";
import type { PartnerCall, PipelineCall, ServiceImpl } from "../../pipeline/call.ts";
import type { Attempt, ParkedEvent } from "../../store/webhooks/rows.ts";
import type { CallDependencies, Dependencies } from "../dependencies.ts";
import { parseCursor, readPage } from "../pages.ts";
import {
  createEndpoint,
  describeEndpoint,
  getEndpoint,
  getEndpointToChange,
  rotateSecret,
  sendTest,
  updateEndpoint,
} from "./endpoints.ts";

const beforeAll = NIL;

/** The implementation of WebhookService. */
export function createWebhookService(deps: CallDependencies): ServiceImpl<typeof WebhookService> {
  const { webhooks, events } = deps;
  const find = (endpointId: string, call: PipelineCall) => getEndpoint(deps, endpointId, call);
  /** Throws `endpoint_disabled` as well. */
  const requireEnabled = async (endpointId: string, call: PipelineCall) => {
    const endpoint = await getEndpointToChange(deps, endpointId, call);
    if (endpoint.disabledReason === null) return endpoint;
    throw new Refusal("endpoint_disabled", details.endpoint_disabled);
  };
  const describe = async (endpointId: string, call: PipelineCall) => ({
    endpoint: await describeEndpoint(deps, await find(endpointId, call), call),
  });
  return {
    async createWebhookEndpoint(request, call) {
      const response = await createEndpoint(deps, request, call);
      call.auditSubjects.push({ targetId: response.endpoint.endpointId });
      return response;
    },
    getWebhookEndpoint: ({ endpointId }, call) => describe(endpointId, call),
    async listWebhookEndpoints(_, call) {
      const { partnerId, signal } = call;
      const endpoints = [];
      // In sequence: a call uses one connection.
      for (const endpoint of await webhooks.listEndpoints(partnerId, beforeAll, maxEndpoints, signal)) {
        endpoints.push(await describeEndpoint(deps, endpoint, call));
      }
      return { endpoints };
    },
    updateWebhookEndpoint: (update, call) => updateEndpoint(deps, update, call),
    async deleteWebhookEndpoint({ endpointId }, call) {
      const id = parseUuid(endpointId);
      if (id === undefined || !(await webhooks.deleteEndpoint(call.partnerId, id, call.signal))) throw notFoundError();
      return {};
    },
    rotateWebhookSecret: (request, call) => rotateSecret(deps, request, call),
    async testWebhookEndpoint({ endpointId }, call) {
      const result = await sendTest(deps, endpointId, call);
      const { status, error, tookMs } = result;
      return { outcome: toOutcome(result), status: status ?? undefined, error: error ?? "", tookMs };
    },
    listWebhookAttempts: (query, call) => listAttempts(deps, query, call),
    listParkedEvents: (query, call) => listParked(deps, query, call),

    /** Redelivers events by their ids, as far as they are still kept, and of types that the endpoint receives. */
    async redeliverEvents({ endpointId, eventIds }, call) {
      const ids = eventIds.map(parseEventId);
      const detail = "An id of an event looks like evt_019b2f7c41d27a3e9c0d5f1a2b3c4d5e_completed.";
      throwIfInvalid(
        ids.flatMap((event, index) =>
          event === undefined ? [{ path: ["eventIds", index], code: "invalid_format", detail }] : [],
        ),
      );
      const endpoint = await requireEnabled(endpointId, call);
      const keys = ids.filter((key) => key !== undefined).filter(({ type }) => endpoint.types.includes(type));
      return { redelivered: await webhooks.redeliver(endpoint, keys, call.signal) };
    },

    /** Redelivers a range of the log: from the oldest event that is kept, and up to the endpoint's position, unless stated. */
    async replayEvents({ endpointId, after, until }, call) {
      const { signal } = call;
      const [from, to] = [parseCursorNumber(after), parseCursorNumber(until)];
      const cursorDetail = "A cursor is the `next` of a response of the feed, or the sequence of an event.";
      if (from === undefined) throw invalidFieldError(["after"], "invalid_format", cursorDetail);
      if (to === undefined) throw invalidFieldError(["until"], "invalid_format", cursorDetail);
      const endpoint = await requireEnabled(endpointId, call);
      const { lastExpired } = await events.findPartnerBounds(endpoint.partnerId, signal);
      const last = until === "" ? endpoint.sequence : to;
      if (after !== "" && from < lastExpired) {
        throw new Refusal("events_expired", details.events_expired, { metadata: { oldest: String(lastExpired) } });
      }
      // Events after the endpoint's position are delivered anyway.
      const aheadDetail = "The endpoint has not reached this event yet: it will be delivered without a replay.";
      if (last > endpoint.sequence) throw invalidFieldError(["until"], "cursor_ahead", aheadDetail);
      if (from > last) throw invalidFieldError(["after"], "out_of_range", "The range ends before it begins.");
      if (!(await webhooks.beginReplay(endpoint, { after: Math.max(from, lastExpired), until: last }, signal))) {
        // It may have been disabled or deleted meanwhile.
        await requireEnabled(endpointId, call);
        throw new Refusal("replay_running", details.replay_running);
      }
      return describe(endpointId, call);
    },

    async cancelReplay({ endpointId }, call) {
      await webhooks.cancelReplay(await find(endpointId, call), call.signal);
      return describe(endpointId, call);
    },
  };
}

const defaultPageSize = 100;

type Query<R extends Message> = Omit<R, keyof Message>;

/** Attempts of an endpoint, the latest first. Throws `not_found` and `invalid_request`. */
export async function listAttempts(deps: Dependencies, query: Query<ListWebhookAttemptsRequest>, call: PartnerCall) {
  const { outcome } = query;
  const after = parseCursor(query.after, parseCursorNumber) ?? Number.MAX_SAFE_INTEGER;
  const endpoint = await getEndpoint(deps, query.endpointId, call);
  const read = (limit: number) => deps.webhooks.listAttempts(endpoint, after, limit, call.signal);
  const matches = outcome === WebhookOutcome.UNSPECIFIED ? undefined : (row: Attempt) => toOutcome(row) === outcome;
  const { rows, next } = await readPage(query.pageSize || defaultPageSize, read, ({ id }) => String(id), matches);
  const attempts = rows.map((row) => ({
    ...row,
    type: row.type ?? "",
    error: row.error ?? "",
    outcome: toOutcome(row),
  }));
  return { attempts, next };
}

/** Parked events of an endpoint by sequence. Throws `not_found` and `invalid_request`. */
export async function listParked(deps: Dependencies, query: Query<ListParkedEventsRequest>, call: PartnerCall) {
  const { state } = query;
  const after = parseCursor(query.after, parseCursorNumber) ?? 0;
  const endpoint = await getEndpoint(deps, query.endpointId, call);
  const read = (limit: number) => deps.webhooks.listParked(endpoint, after, limit, call.signal);
  const matches = state === ParkedEventState.UNSPECIFIED ? undefined : (row: ParkedEvent) => toState(row) === state;
  const toCursor = ({ sequence }: ParkedEvent) => String(sequence);
  const { rows, next } = await readPage(query.pageSize || defaultPageSize, read, toCursor, matches);
  return { events: rows.map((row) => ({ ...row, state: toState(row) })), next };
}

function toOutcome(attempt: Pick<Attempt, "status">): WebhookOutcome {
  return hasSucceeded(attempt) ? WebhookOutcome.SUCCEEDED : WebhookOutcome.FAILED;
}

function toState({ nextAt, deadAt }: Pick<ParkedEvent, "nextAt" | "deadAt">): ParkedEventState {
  if (deadAt !== null) return ParkedEventState.DEAD;
  return nextAt === null ? ParkedEventState.WAITING : ParkedEventState.RETRYING;
}
