// What becomes of an endpoint that does not take what it is sent, over many tries.
import { expect, test } from "vitest";
import type { SendResult } from "../../../src/domain/webhooks/webhook-sender-port.ts";
import { Batch, type BatchSource } from "../../../src/webhooks/lease/batch.ts";
import { LeaseJournal } from "../../../src/webhooks/lease/lease-journal.ts";
import { Settlement } from "../../../src/webhooks/lease/settlement.ts";
import { at, someEndpoint, someId } from "../../support/builders.ts";

const now = at(0).getTime();
const refused: SendResult = { status: 500, error: null, tookMs: 3, retryAfterSeconds: null };

/** The journal of a lease after so many tries were refused. */
function journalAfter(source: BatchSource, tries: number, { failures = 0, isProbe = false } = {}): LeaseJournal {
  const endpoint = { ...someEndpoint(someId()), failures, leaseId: someId(), secrets: [] };
  const journal = new LeaseJournal(endpoint);
  const settlement = new Settlement(
    {
      healthy: new Map(),
      clock: () => now,
      isTrusted: () => true,
      random: (size) => Buffer.alloc(size, 128),
      observe: {
        attempted: () => undefined,
        died: () => undefined,
        disabled: () => undefined,
        unreadable: () => undefined,
      },
    },
    journal,
  );
  for (let sequence = 1; sequence <= tries; sequence += 1) {
    const event = {
      resourceId: someId(),
      type: "session.created",
      occurrence: 1,
      position: sequence,
      partnerId: endpoint.partnerId,
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
    const delivery = { event, described, attempts: 1 };
    const about = { end: sequence, isLast: false, readAt: 0, blockedResourceIds: new Set<string>() };
    settlement.settle(new Batch(source, [delivery], about), delivery, refused, isProbe);
  }
  return journal;
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
  }
});

test("an endpoint is down after three events that are new, and never for those that wait for another try", () => {
  const [second, third] = [journalAfter("new", 2), journalAfter("new", 3)];
  expect([second.failures, restSeconds(second), second.parked.length]).toEqual([2, null, 2]);
  expect([third.failures, restSeconds(third), third.parked.length]).toEqual([3, 10, 3]);
  const retried = journalAfter("parked", 5);
  expect([retried.failures, restSeconds(retried), retried.tried.length]).toEqual([0, null, 5]);
});
