// Claims of endpoints: settles one that has ended, and plans the next. Pure functions.
import type { LoggedEvent } from "../events/event.ts";
import type { Claim, ClaimedDelivery, EndedClaim } from "./deliveries.ts";
import { computeMaxConcurrent, type OutcomeContext, type ParkedDelivery, settleAttempt } from "./delivery-outcome.ts";
import { downAfter, type Endpoint, type Replay } from "./endpoint.ts";

/** Events of the log that are read for a claim, at most. */
export const maxPage = 32;

/** Changes in the rows of an endpoint's deliveries. */
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
 */
export function settleClaim(
  endpoint: Endpoint,
  { claim, results }: EndedClaim,
  context: OutcomeContext,
): RowChanges & { readonly endpoint: Endpoint } {
  let after = endpoint;
  const outcomes = results.map(({ delivery: { event, attempts, dueAt }, result }) => {
    const outcome = settleAttempt(attempts, after, result, context);
    // If the endpoint was changed meanwhile, the result says nothing about its health.
    if (claim.endpoint.revision === endpoint.revision) after = { ...after, ...outcome.health };
    return { sequence: event.sequence, resourceId: event.resourceId, dueAt, next: outcome.delivery };
  });
  const sentDeliveries = new Set(results.map(({ delivery }) => delivery));
  const ofLog = claim.deliveries.filter(({ dueAt }) => dueAt === null);
  const nextUnsent = ofLog[ofLog.findLastIndex((delivery) => sentDeliveries.has(delivery)) + 1];
  const position = nextUnsent === undefined ? claim.end : nextUnsent.event.sequence - 1;
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

/** An endpoint as it is read for a claim. */
export interface EndpointView {
  readonly endpoint: Endpoint;
  /** The last event of its log. */
  readonly head: number;
  /** Most deliveries that may be sent at a time. */
  readonly connections: number;
  readonly now: Date;
  /** The next first; not all. */
  readonly pending: readonly PendingDelivery[];
}

/** Whether nothing is sent to an endpoint for now. */
export function isPaused({ disabledReason, pausedUntil }: Endpoint, now: Date): boolean {
  return disabledReason !== null || (pausedUntil !== null && pausedUntil > now);
}

/** The next range to read: events after the position; if there are none and no retry is due, the replay. */
export function findRange({ endpoint, head, connections, now, pending }: EndpointView): Replay | null {
  const { sequence, replay } = endpoint;
  if (connections === 0 || isPaused(endpoint, now)) return null;
  if (head > sequence) return { after: sequence, until: head };
  return pending.some(({ isDue }) => isDue) ? null : replay;
}

/** An event of the log. */
export interface LogEntry {
  readonly event: LoggedEvent;
  /** Whether the endpoint has a row of it, or an open delivery of its resource. */
  readonly hasRow: boolean;
}

/** The claim of an endpoint: none, if there are no deliveries. */
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
 * @param page the first entries of `findRange`, at most `maxPage`
 */
export function planClaim(view: EndpointView, page: readonly LogEntry[]): ClaimPlan {
  const { endpoint, head, connections, now, pending } = view;
  const { types, sequence, failures, disabledReason, pausedUntil, replay } = endpoint;
  const emptyPlan = {
    endpoint,
    deliveries: [],
    concurrency: 0,
    end: sequence,
    blockedEvents: [],
    outcomes: [],
    newRows: [],
    dueAt: now,
  };
  if (isPaused(endpoint, now)) return { ...emptyPlan, dueAt: disabledReason === null ? pausedUntil : null };
  const range = findRange(view) ?? { after: sequence, until: sequence };
  // Behind a page that is not full the range has no more events.
  const end = page[maxPage - 1]?.event.sequence ?? range.until;
  const subscribedEntries = page.filter(({ event }) => types.includes(event.type));
  if (range === replay) {
    const nextReplay = end < range.until ? { ...range, after: end } : null;
    return {
      ...emptyPlan,
      endpoint: { ...endpoint, replay: nextReplay },
      newRows: subscribedEntries.map(({ event }) => event),
    };
  }
  const due = connections === 0 ? [] : pending.filter(({ isDue }) => isDue);
  const retries = due.flatMap(({ event, attempts, nextAt }): ClaimedDelivery[] => {
    const isSent = event !== undefined && (attempts > 0 || types.includes(event.type));
    return isSent ? [{ event, attempts, dueAt: nextAt }] : [];
  });
  const outcomes = due
    .filter((row) => !retries.some(({ event }) => event.sequence === row.sequence))
    .map((row) => ({ sequence: row.sequence, resourceId: row.resourceId, dueAt: row.nextAt, next: undefined }));
  const newDeliveries = subscribedEntries.flatMap(({ event, hasRow }) =>
    hasRow ? [] : [{ event, attempts: 0, dueAt: null }],
  );
  const blockedEvents = subscribedEntries.filter(({ hasRow }) => hasRow).map(({ event }) => event);
  const deliveries = failures >= downAfter ? [...newDeliveries, ...retries] : [...retries, ...newDeliveries];
  if (deliveries.length > 0) {
    const concurrency = Math.min(connections, computeMaxConcurrent(endpoint), deliveries.length);
    return { ...emptyPlan, deliveries, concurrency, end, blockedEvents, outcomes };
  }
  const isMore = pending[0]?.isDue || blockedEvents.length > 0 || head > end || replay !== null;
  const dueAt = isMore ? now : (pending[0]?.nextAt ?? null);
  return { ...emptyPlan, endpoint: { ...endpoint, sequence: end }, newRows: blockedEvents, outcomes, dueAt };
}
