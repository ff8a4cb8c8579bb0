// What becomes of an endpoint that does not take what it is sent, over many tries.
import { expect, test } from "vitest";
import { type DisabledReason, endpointState } from "../../../src/domain/webhooks/endpoint.ts";
import type { SendResult } from "../../../src/domain/webhooks/webhook-sender-port.ts";
import { Batch, type BatchSource } from "../../../src/webhooks/lease/batch.ts";
import { LeaseJournal } from "../../../src/webhooks/lease/lease-journal.ts";
import { Settlement } from "../../../src/webhooks/lease/settlement.ts";
import { at, someEndpoint, someId } from "../../support/builders.ts";

const now = at(0).getTime();
const refused: SendResult = { status: 500, error: null, tookMs: 3, retryAfterSeconds: null };

interface Lease {
  readonly failures?: number;
  readonly failingSince?: Date | null;
  readonly isTrusted?: boolean;
  /** One byte of 256. */
  readonly random?: number;
}

/** A lease of an endpoint, and what was told of it. */
function newLease({ failures = 0, failingSince = null, isTrusted = true, random = 128 }: Lease = {}) {
  const endpoint = { ...someEndpoint(someId()), failures, failingSince, leaseId: someId(), secrets: [] };
  const journal = new LeaseJournal(endpoint);
  const healthy = new Map<string, true>([[endpoint.id, true]]);
  const told: string[] = [];
  const deps = {
    healthy,
    clock: () => now,
    isTrusted: () => isTrusted,
    random: (size: number) => Buffer.alloc(size, random),
    observe: {
      attempted: (_id: string, _result: unknown, hasSucceeded: boolean) => void told.push(`attempted ${hasSucceeded}`),
      died: () => void told.push("died"),
      disabled: (_id: string, reason: string) => void told.push(`disabled ${reason}`),
      unreadable: () => undefined,
    },
  };
  return { journal, healthy, told, settlement: new Settlement(deps, journal) };
}

/** A batch of one delivery. @param attempts before it */
function newBatch(source: BatchSource, sequence: number, attempts = 1, partnerId = someId()) {
  const event = {
    resourceId: someId(),
    type: "session.created",
    occurrence: 1,
    position: sequence,
    partnerId,
    sequence,
    assessmentId: 1,
    mode: null,
    occurredAt: at(0),
    recordedAt: at(0),
  } as const;
  const described = {
    ...event,
    id: "evt_1",
    timestamp: at(0),
    product: "values-bridge",
    assessmentVersion: 1,
    externalId: null,
    isTest: false,
  };
  const delivery = { event, described, attempts };
  const about = { end: sequence, isLast: false, readAt: 0, blockedResourceIds: new Set<string>() };
  return { delivery, batch: new Batch(source, [delivery], about) };
}

/** The journal of a lease after so many tries were refused. */
function journalAfter(source: BatchSource, tries: number, { failures = 0, isProbe = false } = {}): LeaseJournal {
  const { journal, settlement } = newLease({ failures });
  for (let sequence = 1; sequence <= tries; sequence += 1) {
    const { batch, delivery } = newBatch(source, sequence);
    settlement.settle(batch, delivery, refused, isProbe);
  }
  return journal;
}

/** What one try leaves. */
function settled(
  source: BatchSource,
  result: Partial<SendResult>,
  lease: Lease & { attempts?: number; isProbe?: boolean } = {},
) {
  const { attempts = 1, isProbe = false, ...of } = lease;
  const { journal, settlement, ...more } = newLease(of);
  const { batch, delivery } = newBatch(source, 7, attempts);
  settlement.settle(batch, delivery, { ...refused, ...result }, isProbe);
  return { journal, settlement, batch, delivery, ...more };
}

/** Seconds for which the endpoint is left alone; null: it is not. */
function restSeconds({ restUntil }: LeaseJournal): number | null {
  return restUntil === null ? null : (restUntil.getTime() - now) / 1000;
}

test("an endpoint that is down is left alone, longer after each probe, whatever the probe was", () => {
  for (const source of ["parked", "new", "replay"] as const) {
    const probed = [1, 2, 3].map((tries) => journalAfter(source, tries, { failures: 3, isProbe: true }));
    expect(probed.map(({ failures }) => failures)).toEqual([4, 5, 6]);
    expect(probed.map(restSeconds)).toEqual([20, 40, 80]);
    // Nothing is parked for it, nor does what is parked lose a try.
    expect(probed.flatMap(({ parked, tried }) => [...parked, ...tried])).toEqual([]);
    // It is sent again by the next lease, not by this one.
    const { batch, delivery } = settled(source, {}, { failures: 3, isProbe: true });
    expect([batch.open, batch.begin()]).toEqual([[delivery], undefined]);
  }
});

test("an endpoint is down after three events that are new, and never for those that wait for another try", () => {
  const [second, third] = [journalAfter("new", 2), journalAfter("new", 3)];
  expect([second.failures, restSeconds(second), second.parked.length]).toEqual([2, null, 2]);
  expect([third.failures, restSeconds(third), third.parked.length]).toEqual([3, 10, 3]);
  const retried = journalAfter("parked", 5);
  expect([retried.failures, restSeconds(retried), retried.tried.length]).toEqual([0, null, 5]);
});

test("an event that was taken is done, whatever it was, and the endpoint is healthy and gets more at a time", () => {
  for (const source of ["parked", "new", "replay"] as const) {
    const { journal, settlement, batch, delivery, healthy, told } = settled(source, { status: 204 }, { failures: 2 });
    const { event } = delivery;
    const isParked = source === "parked";
    expect([journal.failures, journal.restUntil, journal.disabledReason]).toEqual([0, null, null]);
    expect(journal.attempts).toEqual([
      { sequence: 7, event, attempt: 2, at: at(0), status: 204, error: null, tookMs: refused.tookMs },
    ]);
    expect([journal.done, journal.freedResourceIds]).toEqual(isParked ? [[7], [event.resourceId]] : [[], []]);
    expect([journal.parked, journal.tried, batch.open]).toEqual([[], [], []]);
    expect([journal.isWanted, [...healthy.values()], told]).toEqual([true, [true], ["attempted true"]]);
    const widths = [settlement.width];
    for (let sequence = 8; sequence < 11; sequence += 1) {
      const next = newBatch(source, sequence);
      settlement.settle(next.batch, next.delivery, { ...refused, status: 200 }, false);
      widths.push(settlement.width);
    }
    const failed = newBatch(source, 11);
    settlement.settle(failed.batch, failed.delivery, refused, false);
    expect([...widths, settlement.width]).toEqual([2, 4, 4, 4, 1]);
    expect(healthy.size).toBe(0);
  }
});

test("a delivery that the end of the process cut off is no attempt, and is sent again", () => {
  const { journal, settlement, told } = newLease();
  const { batch, delivery } = newBatch("new", 7);
  expect([batch.begin(), batch.begin()]).toEqual([delivery, undefined]);
  settlement.settle(batch, delivery, { ...refused, status: null, error: "stopped" }, false);
  expect([journal.attempts, journal.parked, journal.failures, journal.isWanted, told]).toEqual([[], [], 0, false, []]);
  expect([batch.open, batch.begin()]).toEqual([[delivery], delivery]);
});

test("what needs no more, and that an endpoint is left alone, is to be saved though nothing was tried", () => {
  const [left, rested] = [newLease(), newLease()];
  const { batch, delivery } = newBatch("parked", 7);
  left.settlement.leaveOut(batch, delivery);
  rested.settlement.rest(now + 1_000);
  expect([left.journal.isWanted, left.journal.done]).toEqual([true, [7]]);
  expect([rested.journal.isWanted, restSeconds(rested.journal)]).toEqual([true, 1]);
});

test("an endpoint that is gone is disabled at once, and its event waits as it is", () => {
  const { journal, batch, delivery, told } = settled("new", { status: 410, retryAfterSeconds: 9 });
  expect([journal.disabledReason, journal.restUntil, journal.failures]).toEqual(["gone", null, 0]);
  expect([journal.parked, batch.open, batch.begin()]).toEqual([[], [delivery], undefined]);
  expect([told, journal.isWanted]).toEqual([["attempted false", "disabled gone"], true]);
});

test.each([
  [429, 30, 30],
  [503, 30, 30],
  [429, 0, 0],
  [429, null, null],
  [503, null, null],
  [500, 30, null],
  [404, 30, null],
] as const)(
  "a response %d with Retry-After %s leaves the endpoint alone for %s seconds",
  (status, retryAfterSeconds, rests) => {
    const { journal, batch, delivery } = settled("new", { status, retryAfterSeconds });
    expect(restSeconds(journal)).toBe(rests);
    // Who asks for time has not failed: the event keeps its tries.
    expect([journal.failures, journal.parked.length]).toEqual(rests === null ? [1, 1] : [0, 0]);
    expect([batch.open, batch.begin()]).toEqual([rests === null ? [] : [delivery], undefined]);
    expect(journal.isWanted).toBe(true);
  },
);

test("an event is tried ten times, each a little earlier or later than its time, and is dead afterwards", () => {
  const minutes = [5 / 60, 5, 30, 120, 300, 600, 840, 1_200, 1_440];
  for (const [random, factor] of [
    [0, 0.8],
    [128, 1],
    [255, 0.8 + (0.4 * 255) / 256],
  ] as const) {
    const pauses = minutes.map((_, attempts) => {
      const [row] = settled("new", {}, { attempts, random }).journal.parked;
      expect(row).toMatchObject({ sequence: 7, type: "session.created", attempts: attempts + 1, deadAt: null });
      return ((row?.nextAt?.getTime() ?? 0) - now) / 60_000;
    });
    for (const [place, pause] of pauses.entries()) expect(pause).toBeCloseTo((minutes[place] ?? 0) * factor, 4);
  }
  for (const source of ["parked", "new"] as const) {
    const { journal, delivery, batch, told } = settled(source, {}, { attempts: 9 });
    const { resourceId, type } = delivery.event;
    const dead = { sequence: 7, resourceId, type, attempts: 10, nextAt: null, deadAt: at(0) };
    expect(source === "parked" ? journal.tried : journal.parked).toEqual([dead]);
    // The next event of its resource need not wait for it any more.
    expect([journal.freedResourceIds, [...batch.blockedResourceIds]]).toEqual([[resourceId], []]);
    expect(told).toEqual(["attempted false", "died"]);
  }
});

test("an event whose earlier one waits waits as well, with the tries that it had", () => {
  const { journal, settlement } = newLease();
  const { batch, delivery } = newBatch("new", 7, 4);
  settlement.hold(batch, delivery);
  const { resourceId, type } = delivery.event;
  expect(journal.parked).toEqual([{ sequence: 7, resourceId, type, attempts: 4, nextAt: null, deadAt: null }]);
  expect([[...batch.blockedResourceIds], batch.open, journal.attempts]).toEqual([[resourceId], [], []]);
  expect([journal.freedResourceIds, journal.isWanted]).toEqual([[], true]);
});

test("an endpoint is disabled after five days and ten failures, both, by a clock that is trusted", () => {
  const day = 24 * 60 * 60 * 1000;
  const fiveDaysAgo = new Date(now - 5 * day);
  const lease = { failures: 9, failingSince: fiveDaysAgo };
  const disabled = (more: Lease, source: BatchSource = "new", isProbe = true) => {
    const { journal, told } = settled(source, {}, { ...lease, ...more, isProbe });
    expect(told.includes("disabled failing")).toBe(journal.disabledReason === "failing");
    return [journal.disabledReason, restSeconds(journal)];
  };
  expect(disabled({})).toEqual(["failing", null]);
  expect(disabled({ failures: 8 })).toEqual([null, 600]);
  expect(disabled({ failingSince: new Date(now - 5 * day + 1) })).toEqual([null, 600]);
  expect(disabled({ failingSince: null })).toEqual([null, 600]);
  expect(disabled({ isTrusted: false })).toEqual([null, 600]);
  expect(disabled({}, "parked", false)).toEqual([null, null]);
});

test("an endpoint is down from its third failure in a row, and disabled whatever its failures", () => {
  const stateOf = (disabledReason: DisabledReason | null) => (failures: number) =>
    endpointState({ failures, disabledReason });
  expect([0, 2, 3, 4].map(stateOf(null))).toEqual(["healthy", "healthy", "down", "down"]);
  expect([0, 3].map(stateOf("partner"))).toEqual(["disabled", "disabled"]);
});

test("an endpoint that is down is tried after ten seconds, twice as long each time, and ten minutes at most", () => {
  const rests = [2, 3, 4, 5, 6, 7, 8, 9, 10, 60].map((failures) =>
    restSeconds(settled("new", {}, { failures, isProbe: true }).journal),
  );
  expect(rests).toEqual([10, 20, 40, 80, 160, 320, 600, 600, 600, 600]);
});

test("what is not saved yet is saved, and what was acknowledged is not saved again", async () => {
  const { journal, settlement } = newLease();
  expect([journal.isWanted, journal.hasUnsavedParking]).toEqual([false, false]);
  const first = newBatch("new", 1);
  settlement.settle(first.batch, first.delivery, refused, false);
  expect([journal.isWanted, journal.hasUnsavedParking]).toEqual([true, true]);
  const report = journal.report();
  expect(report).toMatchObject({ failures: 1, sequence: 0, restUntil: null, isOver: false });
  expect([report.attempts.length, report.parked.length, journal.isWanted]).toEqual([1, 1, false]);
  const second = newBatch("parked", 2);
  settlement.settle(second.batch, second.delivery, { ...refused, status: 200 }, false);
  const isSaved = journal.saved();
  journal.acknowledge(report);
  const rest = journal.report();
  expect([rest.attempts.map(({ sequence }) => sequence), rest.parked, rest.done]).toEqual([[2], [], [2]]);
  journal.acknowledge(rest);
  await isSaved;
  await journal.saved();
  expect([journal.isWanted, journal.hasUnsavedParking]).toEqual([false, false]);
});

test("events of one resource go one at a time in their order, and those of others beside them", () => {
  const [first, second, other] = [newBatch("new", 1), newBatch("new", 2), newBatch("new", 3)].map(
    ({ delivery }) => delivery,
  );
  if (first === undefined || second === undefined || other === undefined) throw new RangeError("three are wanted");
  const { resourceId } = first.event;
  const next = { ...second, event: { ...second.event, resourceId } };
  const about = { end: 9, isLast: false, readAt: 0, blockedResourceIds: new Set<string>() };
  const batch = new Batch("new", [first, next, other], about);
  expect(batch.describedNow(next)).toBe(next.described);
  expect([batch.begin(), batch.begin(), batch.begin()]).toEqual([first, other, undefined]);
  batch.putBack(first);
  expect([batch.begin(), batch.begin(), batch.reached(0)]).toEqual([first, undefined, 0]);
  batch.settle(first);
  expect([batch.reached(0), batch.open, batch.begin(), batch.begin()]).toEqual([1, [next, other], next, undefined]);
  batch.settle(other);
  expect(batch.reached(0)).toBe(1);
  // What was not taken is not begun again, and nothing behind it counts as reached.
  batch.fail(next);
  expect([batch.begin(), batch.reached(0), batch.open]).toEqual([undefined, 1, [next]]);
  batch.settle(next);
  expect([batch.reached(0), batch.open]).toEqual([9, []]);
});

test("once the log was looked at again, what it says now is sent, and what is gone is not", () => {
  const { batch, delivery } = newBatch("new", 7);
  const now = { ...delivery.described, externalId: "person" };
  expect([batch.readAt, batch.describedNow(delivery)]).toEqual([0, delivery.described]);
  batch.renew(new Map([[7, now]]), 5);
  expect([batch.readAt, batch.describedNow(delivery)]).toEqual([5, now]);
  batch.renew(new Map(), 6);
  expect([batch.readAt, batch.describedNow(delivery)]).toEqual([6, undefined]);
});
