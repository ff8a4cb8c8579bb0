// What is claimed of an endpoint, and what its claim comes to.
import { expect, test } from "vitest";
import type { LoggedEvent } from "../../../src/domain/events/event.ts";
import type { EventType } from "../../../src/domain/events/event-types.ts";
import {
  type EndpointView,
  findRange,
  maxPage,
  type PendingDelivery,
  planClaim,
  settleClaim,
} from "../../../src/domain/webhooks/claims.ts";
import type { Endpoint } from "../../../src/domain/webhooks/endpoint.ts";
import { at, someEndpoint } from "../../support/builders.ts";

const now = at(10);
const down = { failures: 3 } as const;
const endpointWith = (changes: Partial<Endpoint>): Endpoint => ({
  ...{ ...someEndpoint("partner"), types: ["session.created", "session.started"], lastAnswered: "yes" },
  ...changes,
});

/** An event of a session; each has one of its own unless it is said which. */
const eventOf = (
  sequence: number,
  resourceId = `session ${sequence}`,
  type: EventType = "session.created",
): LoggedEvent => ({
  ...{ sequence, resourceId, type, position: sequence, partnerId: "partner", occurrence: 1, assessmentId: 1 },
  ...{ mode: "headless", occurredAt: at(0), recordedAt: at(0) },
});
const pendingOf = (sequence: number, attempts = 1, isDue = true): PendingDelivery => ({
  ...{ sequence, resourceId: `session ${sequence}`, attempts, isDue },
  ...{ nextAt: at(isDue ? 5 : 15), event: undefined },
});

interface Situation extends Partial<Endpoint> {
  readonly connections?: number;
  readonly head?: number;
  readonly pending?: readonly PendingDelivery[];
  /** Sessions with an open delivery. */
  readonly open?: readonly string[];
}

/** What is claimed of an endpoint whose partner has these events. */
function plan(events: readonly LoggedEvent[], situation: Situation = {}) {
  const { connections = 4, pending = [], open = [], head = events.at(-1)?.sequence ?? 0, ...endpoint } = situation;
  const findEvent = (number: number) => events.find(({ sequence }) => sequence === number);
  const view: EndpointView = {
    ...{ endpoint: endpointWith(endpoint), head, connections, now },
    pending: pending.map((each) => ({ ...each, event: findEvent(each.sequence) })),
  };
  const { after, until } = findRange(view) ?? { after: 0, until: 0 };
  const page = events
    .filter(({ sequence }) => sequence > after && sequence <= until)
    .slice(0, maxPage)
    .map((event) => ({ event, hasRow: open.includes(event.resourceId) }));
  const { deliveries, outcomes, newRows, blockedEvents, ...rest } = planClaim(view, page);
  return {
    ...rest,
    claimed: deliveries.map(({ event }) => event.sequence),
    settled: outcomes.map(({ sequence }) => sequence),
    added: newRows.map(({ sequence }) => sequence),
    blocked: blockedEvents.map(({ sequence }) => sequence),
  };
}

test("retries come before new events, and after them if the endpoint is down, which gets one event at a time", () => {
  const events = [1, 2, 3].map((sequence) => eventOf(sequence));
  const pending = [pendingOf(1)];
  expect(plan(events, { sequence: 1, pending })).toMatchObject({ claimed: [1, 2, 3], concurrency: 3, end: 3 });
  const probe = plan(events, { ...down, sequence: 1, pending });
  expect(probe).toMatchObject({ claimed: [2, 3, 1], concurrency: 1, end: 3 });
  expect(plan(events, { ...down, sequence: 3, pending }).claimed).toEqual([1]);
  expect(plan(events, { lastAnswered: "unknown" }).concurrency).toBe(1);
  expect(plan(events, { connections: 2 }).concurrency).toBe(2);
  expect(plan([eventOf(1)]).concurrency).toBe(1);
});

test("an event whose session has an open delivery waits, in a row once it is passed, and others of the page are sent", () => {
  const events = [eventOf(1, "a"), eventOf(2, "b"), eventOf(3, "a"), eventOf(4, "c")];
  const planned = plan(events, { open: ["a"] });
  expect(planned).toMatchObject({ claimed: [2, 4], added: [], blocked: [1, 3], end: 4 });
  // It passes nothing before the claim has ended.
  expect(planned.endpoint.sequence).toBe(0);
  expect(plan(events, { open: ["a", "b", "c"] })).toMatchObject({ claimed: [], added: [1, 2, 3, 4], dueAt: now });
});

test("events of other types are passed, however many there are", () => {
  const events = Array.from({ length: 3 * maxPage }, (_, index) => eventOf(index + 1, "a", "session.started"));
  const planned = plan(events, { types: ["session.created"] });
  expect(planned).toMatchObject({ claimed: [], added: [], dueAt: now });
  expect(planned.endpoint.sequence).toBe(maxPage);
});

test("what is erased, or of a type that is not received any more, is not sent from its row; what has failed is", () => {
  const events = [eventOf(2), eventOf(3)];
  const pending = [pendingOf(1), pendingOf(2, 0), pendingOf(3, 1)];
  const planned = plan(events, { sequence: 3, types: ["session.started"], pending });
  expect(planned).toMatchObject({ claimed: [3], settled: [1, 2] });
});

test.each([
  ["its pause ends", { pausedUntil: at(20) }, at(20)],
  ["never, while it is disabled", { disabledReason: "gone", pausedUntil: at(20) }, null],
  ["now, while there is no connection", { connections: 0 }, now],
  ["now, while there is no connection for a retry", { connections: 0, sequence: 1, pending: [pendingOf(1)] }, now],
  ["the next event, without a connection", { connections: 0, sequence: 1 }, null],
  ["its next retry", { sequence: 1, pending: [pendingOf(1, 1, false)] }, at(15)],
  ["the next event", { sequence: 1 }, null],
  ["now, while a replay is to come", { sequence: 1, replay: { after: 0, until: 1 } }, now],
] as const)("an endpoint of which nothing is claimed is due at: %s", (_, situation, dueAt) => {
  expect(plan([eventOf(1)], situation)).toMatchObject({ claimed: [], dueAt });
});

test("a replay gets rows page by page, when nothing else is due", () => {
  const events = Array.from({ length: maxPage + 3 }, (_, index) => eventOf(index + 1));
  const replay = { after: 0, until: maxPage + 2 };
  const idle = { sequence: maxPage + 3, replay };
  const first = plan(events, idle);
  expect(first.added).toEqual(Array.from({ length: maxPage }, (_, index) => index + 1));
  expect(first.endpoint.replay).toEqual({ ...replay, after: maxPage });
  const second = plan(events, { ...idle, replay: { ...replay, after: maxPage } });
  expect([second.added, second.endpoint.replay]).toEqual([[maxPage + 1, maxPage + 2], null]);
  const isBusy = { endpoint: endpointWith(idle), head: 0, connections: 4, now, pending: [pendingOf(1)] };
  expect(findRange(isBusy)).toBeNull();
});

const context = { now: now.getTime(), databaseNow: now, isTrusted: true, drawFraction: () => 0.5 };

/** What a claim of events 1 to 4, of a log that goes to 6, comes to. @param statuses of those that were sent. @param blocked others */
function settle(
  statuses: Readonly<Record<number, number>>,
  endpoint: Partial<Endpoint> = {},
  blocked: readonly number[] = [],
) {
  const deliveries = [1, 2, 3, 4].map((sequence) => ({ event: eventOf(sequence), attempts: 0, dueAt: null }));
  const claim = {
    claimId: "claim",
    endpoint: endpointWith({}),
    deliveries,
    end: 6,
    blockedEvents: blocked.map((sequence) => eventOf(sequence)),
  };
  const results = deliveries.flatMap((delivery) => {
    const status = statuses[delivery.event.sequence];
    const result = { status: status ?? null, error: null, tookMs: 3, retryAfterSeconds: null };
    return status === undefined ? [] : [{ delivery, at: now, result }];
  });
  const { endpoint: after, outcomes, newRows } = settleClaim(endpointWith(endpoint), { claim, results }, context);
  const failed = outcomes.filter(({ next }) => next !== undefined).map(({ sequence }) => sequence);
  return { sequence: after.sequence, failures: after.failures, failed, added: newRows.map(({ sequence }) => sequence) };
}

test("an endpoint stands behind all that was sent, and what was left out before that gets a row", () => {
  expect(settle({ 1: 204, 2: 204, 3: 204, 4: 204 })).toEqual({ sequence: 6, failures: 0, failed: [], added: [] });
  expect(settle({ 1: 204, 2: 500 })).toEqual({ sequence: 2, failures: 1, failed: [2], added: [] });
  expect(settle({ 1: 204, 3: 500 })).toEqual({ sequence: 3, failures: 1, failed: [3], added: [2] });
  expect(settle({})).toEqual({ sequence: 0, failures: 0, failed: [], added: [] });
  expect(settle({ 1: 204, 2: 204, 3: 204, 4: 204 }, {}, [5])).toMatchObject({ sequence: 6, added: [5] });
  expect(settle({ 1: 204 }, {}, [5])).toMatchObject({ sequence: 1, added: [] });
});

test("results say nothing about an endpoint that was changed meanwhile, and never lead it back", () => {
  const changed = { revision: 1, failures: 0, sequence: 9 };
  expect(settle({ 1: 500 }, changed)).toEqual({ sequence: 9, failures: 0, failed: [1], added: [] });
});
