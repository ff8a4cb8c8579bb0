// Claims of endpoints: settles one that has ended, and plans the next. Pure functions.
import type { LoggedEvent } from "../events/event.ts";
import type { Claim, ClaimedDelivery, EndedClaim } from "./deliveries.ts";
import { computeMaxConcurrent, type OutcomeContext, type ParkedDelivery, settleAttempt } from "./delivery-outcome.ts";
import { downAfter, type Endpoint, type Replay } from "./endpoint.ts";

/** Most deliveries of a claim, and events of the log that are read for one. */
export const maxClaimed = 32;

/** What changes in the rows of an endpoint's deliveries. */
export interface RowChanges {
  readonly outcomes: readonly DeliveryOutcome[];
  /** Events that get a row. The first delivery of a resource is due at once, the others wait for it. */
  readonly newRows: readonly LoggedEvent[];
}

interface DeliveryOutcome extends Pick<LoggedEvent, "sequence" | "resourceId">, Pick<ClaimedDelivery, "dueAt"> {
  /** Undefined: it was accepted, or is not sent any more. */
  readonly next: ParkedDelivery | undefined;
}

/**
 * Settles a claim: moves the endpoint to the last event that was sent. Every earlier event that was not sent gets a row, and the
 * next claim reads the log from there. So no event after the position has a row, unless the partner requested it.
 * @param fraction at random, for each attempt
 */
export function settleClaim(
  endpoint: Endpoint,
  { claim, results }: EndedClaim,
  context: Omit<OutcomeContext, "fraction">,
  fraction: () => number,
): RowChanges & { readonly endpoint: Endpoint } {
  let after = endpoint;
  const outcomes = results.map(({ delivery: { event, attempts, dueAt }, result }) => {
    const outcome = settleAttempt(attempts, after, result, { ...context, fraction: fraction() });
    // If the endpoint was changed meanwhile, the result says nothing about its health.
    if (claim.endpoint.revision === endpoint.revision) after = { ...after, ...outcome.health };
    return { sequence: event.sequence, resourceId: event.resourceId, dueAt, next: outcome.delivery };
  });
  const sentDeliveries = new Set(results.map(({ delivery }) => delivery));
  const ofLog = claim.deliveries.filter(({ dueAt }) => dueAt === null);
  const nextUnsent = ofLog[ofLog.findLastIndex((delivery) => sentDeliveries.has(delivery)) + 1];
  const position = findSequenceBefore(nextUnsent, claim.end);
  const unsent = ofLog.filter((delivery) => !sentDeliveries.has(delivery)).map(({ event }) => event);
  const newRows = [...unsent, ...claim.blockedEvents].filter(({ sequence }) => sequence <= position);
  return { endpoint: { ...after, sequence: Math.max(endpoint.sequence, position) }, outcomes, newRows };
}

/** A delivery with a row that has a time. */
export interface PendingDelivery extends Pick<LoggedEvent, "sequence" | "resourceId"> {
  readonly attempts: number;
  readonly nextAt: Date;
  readonly isDue: boolean;
  /** Undefined: the log no longer has it. */
  readonly event: LoggedEvent | undefined;
}

/** What is read of an endpoint. */
export interface EndpointView {
  readonly endpoint: Endpoint;
  /** The last event of its log. */
  readonly head: number;
  /** How many deliveries may be sent at a time. */
  readonly connections: number;
  readonly now: Date;
  /** The next first; not all. */
  readonly pending: readonly PendingDelivery[];
}

/** Whether nothing is sent to an endpoint for now. */
export function isPaused({ disabledReason, pausedUntil }: Endpoint, now: Date): boolean {
  return disabledReason !== null || (pausedUntil !== null && pausedUntil > now);
}

interface LogRange extends Replay {
  readonly isReplay: boolean;
}

/** The next range to read: events after the position; if there are none and no retry is due, the replay. */
export function findNextRange({ endpoint, head, connections, now, pending }: EndpointView): LogRange | undefined {
  const { sequence: after, replay } = endpoint;
  if (connections === 0 || isPaused(endpoint, now)) return undefined;
  if (head > after) return { isReplay: false, after, until: head };
  return replay !== null && !pending.some(({ isDue }) => isDue) ? { isReplay: true, ...replay } : undefined;
}

/** An event of the log. */
export interface LogEntry {
  readonly event: LoggedEvent;
  /** Whether the endpoint has a row of it, or an open delivery of its resource. */
  readonly hasRow: boolean;
}

/** What is claimed of an endpoint: nothing, if there are no deliveries. */
export interface ClaimPlan
  extends RowChanges,
    Pick<Claim, "endpoint" | "deliveries" | "concurrency" | "end" | "blockedEvents"> {
  /** When the endpoint is due if nothing is claimed; null: after the next event or change. */
  readonly dueAt: Date | null;
}

/**
 * Claims what may be sent now.
 * - Order: retries, which have rows, then new events, which are in the log. If the endpoint is down, new events come first.
 * - A new event is blocked if its resource has an open delivery: it gets a row once the endpoint has passed it.
 * - Events of a replay get rows, and are sent like retries.
 * @param page the first entries of `findNextRange`, at most `maxClaimed`
 */
export function planClaim(view: EndpointView, page: readonly LogEntry[]): ClaimPlan {
  const { endpoint, head, connections, now, pending } = view;
  const { types, sequence, failures, disabledReason, pausedUntil, replay } = endpoint;
  const nothing = {
    endpoint,
    deliveries: [],
    concurrency: 0,
    end: sequence,
    blockedEvents: [],
    outcomes: [],
    newRows: [],
  };
  if (isPaused(endpoint, now)) return { ...nothing, dueAt: disabledReason === null ? pausedUntil : null };
  const range = findNextRange(view);
  const pageEnd = range === undefined ? sequence : findPageEnd(page, range);
  const received = page.filter(({ event }) => types.includes(event.type) && event.sequence <= pageEnd);
  if (range?.isReplay) {
    const nextReplay = pageEnd < range.until ? { after: pageEnd, until: range.until } : null;
    const newRows = received.map(({ event }) => event);
    return { ...nothing, endpoint: { ...endpoint, replay: nextReplay }, newRows, dueAt: now };
  }
  const due = pending.filter(({ isDue }) => isDue);
  const retries = due.flatMap(({ event, attempts, nextAt }): ClaimedDelivery[] => {
    const isSent = event !== undefined && (attempts > 0 || types.includes(event.type));
    return isSent ? [{ event, attempts, dueAt: nextAt }] : [];
  });
  const outcomes = due
    .filter((row) => !retries.some(({ event }) => event.sequence === row.sequence))
    .map((row) => ({ sequence: row.sequence, resourceId: row.resourceId, dueAt: row.nextAt, next: undefined }));
  const newDeliveries = received.flatMap(({ event, hasRow }) => (hasRow ? [] : [{ event, attempts: 0, dueAt: null }]));
  const candidates = [...retries, ...newDeliveries];
  if (failures >= downAfter) candidates.sort((one, other) => Math.sign(one.attempts) - Math.sign(other.attempts));
  const maxConcurrent = computeMaxConcurrent(endpoint);
  const deliveries = connections === 0 ? [] : candidates.slice(0, maxConcurrent === 1 ? 1 : maxClaimed);
  // The claim ends before the first new event that it leaves.
  const end = findSequenceBefore(
    newDeliveries.find((each) => !deliveries.includes(each)),
    pageEnd,
  );
  const blockedEvents = received
    .filter(({ event, hasRow }) => hasRow && event.sequence <= end)
    .map(({ event }) => event);
  if (deliveries.length > 0) {
    const concurrency = Math.min(connections, maxConcurrent, deliveries.length);
    return { ...nothing, deliveries, concurrency, end, blockedEvents, outcomes, dueAt: now };
  }
  const isMore = due.length > 0 || blockedEvents.length > 0 || head > end || replay !== null;
  const dueAt = isMore ? now : (pending[0]?.nextAt ?? null);
  return { ...nothing, endpoint: { ...endpoint, sequence: end }, newRows: blockedEvents, outcomes, dueAt };
}

/** Up to where nothing of the range follows the page. */
function findPageEnd(page: readonly LogEntry[], { isReplay, after, until }: LogRange): number {
  const last = page.at(-1)?.event.sequence ?? after;
  // The log may have grown since its head was read.
  const limit = isReplay ? until : Math.max(until, last);
  return page.length < maxClaimed ? limit : Math.min(last, limit);
}

/** The sequence before the event, or else the end. */
function findSequenceBefore(entry: Pick<LogEntry, "event"> | undefined, end: number): number {
  return entry === undefined ? end : entry.event.sequence - 1;
}
