// What a lease notes is reported until it is saved, and whoever waits for that waits for no less and no more.
import { expect, test } from "vitest";
import { LeaseJournal } from "../../../src/webhooks/lease/lease-journal.ts";
import { at, someEndpoint, someId } from "../../support/builders.ts";

const newJournal = () => new LeaseJournal({ ...someEndpoint(someId()), leaseId: someId(), secrets: [] });

/** Whether it is over by now. */
function settled(promise: Promise<void>): Promise<boolean> {
  return Promise.race([promise.then(() => true), new Promise<boolean>((resolve) => setImmediate(resolve, false))]);
}

const parkedAt = (sequence: number) => {
  return { sequence, resourceId: someId(), type: "session.created", attempts: 1, nextAt: at(9), deadAt: null } as const;
};

test("nobody waits while there is nothing to save", async () => {
  const journal = newJournal();
  expect(await settled(journal.saved())).toBe(true);
  expect([journal.isWanted, journal.hasUnsavedParking]).toEqual([false, false]);
  expect(journal.report()).toMatchObject({ isOver: false, isOutOfTime: false });
});

test("whoever notes something waits for the report that holds it, and not for one that was made before", async () => {
  const journal = newJournal();
  journal.touch();
  const first = journal.saved();
  const report = journal.report();
  journal.touch();
  const second = journal.saved();
  journal.acknowledge(report);
  expect([await settled(first), await settled(second)]).toEqual([true, false]);
  journal.acknowledge(journal.report());
  expect(await settled(second)).toBe(true);
});

test("a save is wanted while somebody waits, be the report made or not", async () => {
  const journal = newJournal();
  journal.touch();
  const waiting = journal.saved();
  const report = journal.report();
  expect(journal.isWanted).toBe(true);
  journal.acknowledge(report);
  expect([await settled(waiting), journal.isWanted]).toEqual([true, false]);
});

test("what was reported and not saved is reported once more, with what came since; what was saved is not", async () => {
  const journal = newJournal();
  const [first, second] = [parkedAt(1), parkedAt(2)];
  journal.tried.push(first);
  journal.done.push(7);
  journal.touch();
  const waiting = journal.saved();
  expect(journal.report()).toMatchObject({ tried: [first], done: [7], parked: [] });
  journal.keep();
  journal.tried.push(second);
  const report = journal.report();
  expect(report).toMatchObject({ tried: [first, second], done: [7] });
  expect(await settled(waiting)).toBe(false);
  journal.parked.push(parkedAt(3));
  journal.acknowledge(report);
  expect(await settled(waiting)).toBe(true);
  expect([journal.tried, journal.done, journal.hasUnsavedParking]).toEqual([[], [], true]);
  expect(journal.report().parked).toHaveLength(1);
});

test("a lease that is over is to be saved, though nothing else was noted", () => {
  const journal = newJournal();
  journal.isOver = true;
  expect(journal.isWanted).toBe(true);
  expect(journal.report()).toMatchObject({ isOver: true });
  expect(journal.isWanted).toBe(true);
});

test("what could not be saved is to be saved, though nobody waits for it", () => {
  const journal = newJournal();
  journal.touch();
  journal.report();
  expect(journal.isWanted).toBe(false);
  journal.keep();
  expect(journal.isWanted).toBe(true);
});

test("nobody waits any more for a lease that was given up", async () => {
  const journal = newJournal();
  journal.touch();
  const waiting = journal.saved();
  journal.giveUp();
  expect([await settled(waiting), await settled(journal.saved())]).toEqual([true, true]);
});
