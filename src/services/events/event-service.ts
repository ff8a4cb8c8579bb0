// EventService: the feed has events after a cursor, at once or when the next one is published.

import type { LoggedEvent } from "../../domain/events/event.ts";
import { cursorNow, type LogPosition, readCursor, wholeLog, writeCursor } from "../../domain/events/event-cursor.ts";
import { findEventTypeViolations } from "../../domain/events/event-types.ts";
import type { EventService, ListEventsRequest } from "../../gen/assessment/v1/event_service_pb.ts";
import { throwIfInvalid } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { isTestTwin } from "../../kernel/ids.ts";
import type { ServiceImpl, WaitingCall } from "../../pipeline/call.ts";
import type { CallDependencies, Dependencies } from "../dependencies.ts";
import { describeEvents, requireScopesForContents } from "./described-events.ts";
import { allPartners } from "./event-watch.ts";
import { type Log, readMerged, readPosition } from "./merged-log.ts";

/** The implementation of EventService. */
export function createEventService(deps: CallDependencies): ServiceImpl<typeof EventService> {
  return {
    async listEvents(query, call) {
      requireScopesForContents(call, query);
      const { events, ...page } = await readFeed(deps, call.partnerId, query, call);
      return { events: events.map(({ event }) => event), ...page };
    },
    listAllEvents(query, call) {
      requireScopesForContents(call, query);
      return readFeed(deps, undefined, query, call);
    },
  };
}

const defaultPageSize = 100;
/** Events that one call reads to find those of the requested types. */
const maxScanned = 1_000;
/** Reserved for responding before the caller's own deadline. */
const waitMarginMs = 1_000;

type FeedQuery = Pick<ListEventsRequest, "after" | "pageSize" | "waitSeconds" | "types" | "includeExternalId">;

/**
 * Reads events of a partner, or of all but test twins, after the cursor of the query.
 * Throws `invalid_request` (also `cursor_ahead`), `events_expired`, and if too many calls wait.
 * @param partnerId undefined: the events of all partners, in the order in which they were added to the logs of the shards
 */
export async function readFeed(deps: Dependencies, partnerId: string | undefined, query: FeedQuery, call: WaitingCall) {
  throwIfInvalid([...findCursorViolations(query.after), ...findEventTypeViolations(query.types)]);
  const logs = selectLogs(deps, partnerId, call.signal);
  const waitMs = Math.min(query.waitSeconds * 1_000, call.endsAt - deps.monotonic() - waitMarginMs);
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), Math.max(0, waitMs));
  if (waitMs <= 0) waiting.abort();
  try {
    let after = await readPosition(logs, query.after);
    for (;;) {
      // Watching starts before the first read, so that no event is missed in between.
      const change = deps.watch.waitForChange(partnerId ?? allPartners, waiting.signal);
      const page = await readEventPage(logs, after, query, partnerId);
      if (page.events.length > 0 || !page.isEnd || waiting.signal.aborted || deps.watch.isStopped) {
        const descriptions = await describeEvents(deps, page.events, query, call.signal);
        const partnerIds = page.events.map((event) => event.partnerId);
        const events = descriptions.map((event, index) => ({ partnerId: partnerIds[index] ?? "", event }));
        return { events, next: writeCursor(page.last), atEnd: page.isEnd };
      }
      after = page.last;
      await call.waitOutside("events", () => change);
    }
  } finally {
    clearTimeout(timer);
    waiting.abort();
  }
}

/** The log of a partner, or those of all shards. */
function selectLogs({ events, shards }: Dependencies, partnerId: string | undefined, signal: AbortSignal): Log[] {
  if (partnerId !== undefined) {
    const listEvents: Log["listEvents"] = (after, limit) => events.listEvents(partnerId, after, limit, signal);
    const findBounds = () => events.findPartnerBounds(partnerId, signal);
    return [{ name: wholeLog, listEvents, findBounds, getNumber: ({ sequence }) => sequence }];
  }
  return shards().map((shard) => ({
    name: shard.name,
    listEvents: (after, limit) => shard.events.listAllEvents(after, limit, signal),
    findBounds: () => shard.events.findBounds(signal),
    getNumber: ({ position }) => position,
  }));
}

function findCursorViolations(after: string): Violation[] {
  if (after === cursorNow || readCursor(after) !== undefined) return [];
  const detail = "A cursor is the `next` of a response, `now`, or empty.";
  return [{ path: ["after"], code: "invalid_format", detail }];
}

/** The events after a position. @param after undefined: from the oldest event that is kept */
function readEventPage(
  logs: readonly Log[],
  after: LogPosition | undefined,
  { pageSize, types }: FeedQuery,
  partnerId: string | undefined,
) {
  const size = pageSize === 0 ? defaultPageSize : pageSize;
  const wantedTypes = new Set<string>(types);
  const isWanted = (event: LoggedEvent) =>
    (wantedTypes.size === 0 || wantedTypes.has(event.type)) &&
    (partnerId !== undefined || !isTestTwin(event.partnerId));
  return readMerged(logs, after, wantedTypes.size === 0 ? size : maxScanned, size, isWanted);
}
