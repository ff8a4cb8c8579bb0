// EventService: messages in, use cases of the domain, messages out.
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { type FeedDeps, type FeedPage, type FeedQuery, readFeed } from "../../domain/events/feed.ts";
import type { EventService } from "../../gen/assessment/v1/event_service_pb.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { toEventMessage } from "../../kernel/event-json.ts";
import { deadlineOf, principalOf, slotOf } from "../../pipeline/context-values.ts";
import type { WaitingCalls } from "../../pipeline/limits/waiting-calls.ts";

export interface EventServiceDeps extends FeedDeps {
  readonly waitingCalls: WaitingCalls;
}

/** The implementation of EventService. */
export function eventService(deps: EventServiceDeps): ServiceImpl<typeof EventService> {
  return {
    async listEvents(query, context) {
      const { events, next, isEnd } = await read(deps, principalOf(context).partnerId, query, context);
      return { events: events.map(toEventMessage), next, atEnd: isEnd };
    },

    async listAllEvents(query, context) {
      const { events, next, isEnd } = await read(deps, undefined, query, context);
      const ofPartners = events.map((event) => ({ partnerId: event.partnerId, event: toEventMessage(event) }));
      return { events: ofPartners, next, atEnd: isEnd };
    },
  };
}

/** @param partnerId undefined: of all partners */
function read(
  deps: EventServiceDeps,
  partnerId: string | undefined,
  query: FeedQuery,
  context: HandlerContext,
): Promise<FeedPage> {
  const { clientId, scopes } = principalOf(context);
  if (query.includeExternalId && !scopes.has("sessions:read")) {
    const detail = "The access token lacks the scope `sessions:read`, which external ids require.";
    throw new Refusal("permission_denied", detail, { facts: { scope: "sessions:read" } });
  }
  const idle = (wait: () => Promise<void>) => slotOf(context).idle(() => deps.waitingCalls.run(clientId, wait));
  return readFeed(deps, partnerId, query, deadlineOf(context), idle);
}
