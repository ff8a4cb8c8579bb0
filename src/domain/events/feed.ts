// The feed: events after a cursor, now or when one comes.

import type { Deadline, MonotonicClock } from "../../kernel/environment.ts";
import { details } from "../../kernel/errors/details.ts";
import { invalidRequest, Refusal, refuseIfAny } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { isEventType } from "../../kernel/event-types.ts";
import { cursorNow, cursorNumber, type EventQuery, eventQueryViolations } from "../../kernel/requests/event-query.ts";
import { isTestTwin } from "../../kernel/test-tenant.ts";
import { type DescribedEvent, type DescriptionDeps, describeEvents } from "./described-events.ts";
import type { LoggedEvent } from "./event.ts";
import type { EventStore, LogBounds, LogPage } from "./event-port.ts";
import { allPartners, type EventWatch } from "./event-watch.ts";

const defaultPageSize = 100;
/** Events that one call looks at for those of the types asked for. */
const maxScanned = 1_000;
/** Left for telling the caller, before its own deadline would. */
const waitMarginMs = 1_000;

export interface FeedDeps extends DescriptionDeps {
  readonly events: EventStore;
  readonly watch: EventWatch;
  readonly monotonic: MonotonicClock;
}

export interface FeedQuery extends EventQuery {
  /** None: all. */
  readonly types: readonly string[];
  readonly includeExternalId: boolean;
}

export interface FeedPage {
  readonly events: readonly DescribedEvent[];
  /** The cursor after all that was looked at. */
  readonly next: string;
  readonly isEnd: boolean;
}

/** Waits without keeping anybody from being served meanwhile. Throws where too many wait already. */
export type Idle = (wait: () => Promise<void>) => Promise<void>;

/**
 * Reads events of a partner, or of all but test twins, after the cursor of the query.
 * Throws `invalid_request` (also `cursor_ahead`), `events_expired`, and what `idle` throws.
 * @param partnerId undefined: the events of all partners, whose cursor is a position
 */
export async function readFeed(
  deps: FeedDeps,
  partnerId: string | undefined,
  query: FeedQuery,
  deadline: Deadline,
  idle: Idle,
): Promise<FeedPage> {
  refuseIfAny([...eventQueryViolations(query), ...typeViolations(query.types)]);
  const log = logOf(deps, partnerId, deadline.signal);
  const waitMs = Math.min(query.waitSeconds * 1_000, deadline.at - deps.monotonic() - waitMarginMs);
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), Math.max(0, waitMs));
  if (waitMs <= 0) waiting.abort();
  try {
    let after = await startOf(query.after, log);
    for (;;) {
      // Watching begins before looking, so that nothing comes unseen in between.
      const change = deps.watch.next(partnerId ?? allPartners, waiting.signal);
      const page = await readPage(log, after, query);
      if (page.events.length > 0 || !page.isEnd || waiting.signal.aborted || deps.watch.isStopped) {
        const events = await describeEvents(deps, page.events, query.includeExternalId, deadline.signal);
        return { events, next: String(page.last), isEnd: page.isEnd };
      }
      after = page.last;
      await idle(() => change);
    }
  } finally {
    clearTimeout(timer);
    waiting.abort();
  }
}

interface Log {
  list(after: number, limit: number): Promise<LogPage>;
  bounds(): Promise<LogBounds>;
  numberOf(event: LoggedEvent): number;
}

function logOf({ events }: FeedDeps, partnerId: string | undefined, signal: AbortSignal): Log {
  if (partnerId === undefined) {
    return {
      async list(after, limit) {
        const page = await events.listAllEvents(after, limit, signal);
        return { ...page, events: page.events.filter((event) => !isTestTwin(event.partnerId)) };
      },
      bounds: () => events.findBounds(signal),
      numberOf: ({ position }) => position,
    };
  }
  return {
    list: (after, limit) => events.listEvents(partnerId, after, limit, signal),
    bounds: () => events.findPartnerBounds(partnerId, signal),
    numberOf: ({ sequence }) => sequence,
  };
}

/** The number of a cursor that was checked. Undefined: from the oldest event that is kept. */
async function startOf(cursor: string, log: Log): Promise<number | undefined> {
  if (cursor === cursorNow) return (await log.bounds()).head;
  return cursor === "" ? undefined : cursorNumber(cursor);
}

/**
 * The events after a number. Bounds are read after events, so that it is noticed if some expired in between.
 * @param after undefined: from the oldest event that is kept
 */
async function readPage(log: Log, after: number | undefined, { pageSize, types }: FeedQuery): Promise<LogPage> {
  const size = pageSize === 0 ? defaultPageSize : pageSize;
  const page = await log.list(after ?? 0, types.length === 0 ? size : maxScanned);
  const { expired, head } = await log.bounds();
  if (after === undefined) return ofTypes(log, { ...page, last: Math.max(page.last, expired) }, size, types);
  if (after < expired) throw eventsExpired(expired);
  if (after > head) throw cursorAhead();
  return ofTypes(log, page, size, types);
}

/** As many events of the types as a page may have. */
function ofTypes(log: Log, page: LogPage, size: number, types: readonly string[]): LogPage {
  if (types.length === 0) return page;
  const wanted = new Set(types);
  const events = page.events.filter(({ type }) => wanted.has(type));
  const last = events[size - 1];
  if (last === undefined) return { ...page, events };
  return { events: events.slice(0, size), last: log.numberOf(last), isEnd: false };
}

function typeViolations(types: readonly string[]): Violation[] {
  return types.flatMap((type, index) =>
    isEventType(type)
      ? []
      : [{ path: ["types", index], code: "unknown_type", detail: "There is no such type of event." }],
  );
}

function eventsExpired(oldest: number): Refusal {
  return new Refusal("events_expired", details.events_expired, {
    facts: { oldest: String(oldest) },
  });
}

function cursorAhead(): Refusal {
  const detail = "The cursor is ahead of the log: no response has given it.";
  return invalidRequest([{ path: ["after"], code: "cursor_ahead", detail }]);
}
