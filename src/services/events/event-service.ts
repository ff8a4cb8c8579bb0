// EventService: the feed, and the limit on waiting calls.
import type { EventService } from "../../gen/assessment/v1/event_service_pb.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { Semaphore } from "../../kernel/limits/semaphore.ts";
import { type PipelineCall, principalOf } from "../../pipeline/call.ts";
import type { ServiceImpl } from "../../pipeline/handlers.ts";
import { type FeedDeps, type FeedPage, type FeedQuery, readFeed } from "./feed.ts";

const maxWaitingPerClient = 8;
const retryAfterSeconds = 1;

/** The implementation of EventService. */
export function eventService(feed: FeedDeps): ServiceImpl<typeof EventService> {
  const deps = { ...feed, waitingCalls: newWaitingCalls() };
  return {
    async listEvents(query, call) {
      const { events, ...page } = await read(deps, call.partnerId, query, call);
      return { events: events.map(({ event }) => event), ...page };
    },
    async listAllEvents(query, call) {
      const { events, ...page } = await read(deps, undefined, query, call);
      return { events: [...events], ...page };
    },
  };
}

/** How many calls may wait for an event. They hold no slot of the running calls, only memory and a connection. */
export function newWaitingCalls(): Semaphore {
  return new Semaphore({ slots: 256, slotsOfPartner: 128, slotsOfClient: maxWaitingPerClient }, (reason) => {
    if (reason === "share") {
      const detail = `A client may have ${maxWaitingPerClient} calls that wait for events, and its partner 128.`;
      return new Refusal("rate_limited", detail, { retryAfterSeconds });
    }
    return new Refusal("unavailable", "Too many calls wait for events. Ask without waiting.", { retryAfterSeconds });
  });
}

/** @param partnerId undefined: all partners */
function read(
  deps: FeedDeps & { readonly waitingCalls: Semaphore },
  partnerId: string | undefined,
  query: FeedQuery,
  call: PipelineCall,
): Promise<FeedPage> {
  if (query.includeExternalId && !principalOf(call).scopes.has("sessions:read")) {
    const detail = "The access token lacks the scope `sessions:read`, which external ids require.";
    throw new Refusal("permission_denied", detail, { facts: { scope: "sessions:read" } });
  }
  const deadline = call;
  const idle = (wait: () => Promise<void>) =>
    call.idle(() => deps.waitingCalls.run(principalOf(call).caller, deadline.signal, wait));
  return readFeed(deps, partnerId, query, deadline, idle);
}
