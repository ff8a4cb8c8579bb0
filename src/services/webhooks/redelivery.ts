// Redelivers events to an endpoint: by their ids, or a range of the log.

import { parseEventId } from "../../domain/events/event.ts";
import { cursorNumber } from "../../domain/events/event-cursor.ts";
import type { Endpoint } from "../../domain/webhooks/endpoint.ts";
import type { ReplayEventsRequest } from "../../gen/assessment/v1/webhook_service_pb.ts";
import type { Deadline } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { invalidRequest, Refusal, refuseIfAny } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import type { Needs } from "../dependencies.ts";
import { getEndpoint, getSteerable, type WebhookCaller } from "./endpoints.ts";

/**
 * Redelivers events. Throws `not_found`, `permission_denied`, `invalid_request` and `endpoint_disabled`.
 * @returns how many of them are still kept
 */
export async function redeliverEvents(
  deps: Needs<"webhooks">,
  caller: WebhookCaller,
  endpointId: string,
  eventIds: readonly string[],
  deadline: Deadline,
): Promise<number> {
  refuseIfAny(eventIdViolations(eventIds));
  const endpoint = await getEnabled(deps, caller, endpointId, deadline);
  const events = eventIds.flatMap((id) => parseEventId(id) ?? []);
  return deps.webhooks.redeliver(endpoint, events, deadline.signal);
}

/**
 * Redelivers a range of the log. Throws `not_found`, `permission_denied`, `invalid_request`,
 * `endpoint_disabled`, `events_expired` and `replay_running`.
 * @param after a cursor; empty: from the oldest event that is kept
 * @param until a cursor; empty: up to the endpoint's position
 */
export async function replayEvents(
  deps: Needs<"webhooks" | "events">,
  caller: WebhookCaller,
  { endpointId, after, until }: Pick<ReplayEventsRequest, "endpointId" | "after" | "until">,
  deadline: Deadline,
): Promise<Endpoint> {
  const violationOf = (path: string, code: string, detail: string) => invalidRequest([{ path: [path], code, detail }]);
  const from = cursorNumber(after);
  const to = cursorNumber(until);
  const detail = "A cursor is the `next` of a response of the feed, or the sequence of an event.";
  if (from === undefined) throw violationOf("after", "invalid_format", detail);
  if (to === undefined) throw violationOf("until", "invalid_format", detail);
  const endpoint = await getEnabled(deps, caller, endpointId, deadline);
  const { partnerId } = caller;
  const { expired } = await deps.events.findPartnerBounds(partnerId, deadline.signal);
  const last = until === "" ? endpoint.sequence : to;
  if (after !== "" && from < expired) {
    throw new Refusal("events_expired", details.events_expired, { facts: { oldest: String(expired) } });
  }
  // Events after the endpoint's position are delivered anyway.
  if (last > endpoint.sequence) throw violationOf("until", "cursor_ahead", "The endpoint has not come so far yet.");
  if (from > last) throw violationOf("after", "out_of_range", "The range ends before it begins.");
  const replay = { after: Math.max(from, expired), until: last };
  if (!(await deps.webhooks.beginReplay(endpoint, replay, deadline.signal))) {
    throw new Refusal("replay_running", details.replay_running);
  }
  return getEndpoint(deps, partnerId, endpointId, deadline);
}

async function getEnabled(
  deps: Needs<"webhooks">,
  caller: WebhookCaller,
  endpointId: string,
  deadline: Deadline,
): Promise<Endpoint> {
  const endpoint = await getSteerable(deps, caller, endpointId, deadline);
  if (endpoint.disabledReason === null) return endpoint;
  throw new Refusal("endpoint_disabled", details.endpoint_disabled);
}

function eventIdViolations(ids: readonly string[]): Violation[] {
  const detail = "An id of an event looks like evt_019b2f7c41d27a3e9c0d5f1a2b3c4d5e_completed.";
  return ids.flatMap((id, index) =>
    parseEventId(id) === undefined ? [{ path: ["eventIds", index], code: "invalid_format", detail }] : [],
  );
}
