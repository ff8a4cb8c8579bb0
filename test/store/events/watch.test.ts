// Those who wait for events hear of them: nothing comes unseen, and nobody is asked while nobody waits.
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { allPartners, EventWatch } from "../../../src/services/events/event-watch.ts";
import { createEventStore } from "../../../src/store/events/event-store.ts";
import { someId } from "../../support/builders.ts";
import { poolOfTest } from "../../support/databases/pool.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";
import { sequenceEvents } from "../../support/webhooks/sequencing.ts";

const database = await storesOfFile();

function newWatch(events = database.events): EventWatch {
  const watch = new EventWatch(() => [{ name: "", events }]);
  onTestFinished(() => watch.stop());
  return watch;
}

/** A reader of a partner, and what the first look has told: that wakes everybody, since nothing is known of what came before it. */
async function newReader(events = database.events) {
  const [watch, partnerId] = [newWatch(events), someId()];
  await watch.waitForChange(partnerId, signal);
  return { watch, partnerId };
}

/** Events through a proxy that can cut the connection. */
async function proxiedEvents() {
  const { proxy, url } = await proxyBefore(database.address);
  return { proxy, events: createEventStore(poolOfTest({ address: { url }, poolSize: 1 })) };
}

async function happen(partnerId: string): Promise<void> {
  await storeSession(database, { partnerId });
  await sequenceEvents(database);
}

/** A promise, and whether it has resolved. */
function watched(promise: Promise<void>) {
  const state = { isOver: false };
  const over = promise.then(() => {
    state.isOver = true;
  });
  return { state, over };
}

test("a reader gets the events of its own partner, and a reader of all partners gets all events", async () => {
  const { watch, partnerId } = await newReader();
  const own = watched(watch.waitForChange(partnerId, signal));
  const all = watched(watch.waitForChange(allPartners, signal));
  await happen(someId());
  await all.over;
  expect(own.state.isOver).toBe(false);
  await happen(partnerId);
  await own.over;
});

test("every waiting reader reads for itself when a poll cannot read all new events", async () => {
  // Three events are as many as a poll reads.
  const listAllEvents: typeof database.events.listAllEvents = async (...page) =>
    (await database.events.listAllEvents(...page)).flatMap((event) => Array(334).fill(event));
  const { watch, partnerId } = await newReader({ ...database.events, listAllEvents });
  const own = watched(watch.waitForChange(partnerId, signal));
  const all = watched(watch.waitForChange(allPartners, signal));
  await happen(someId());
  await all.over;
  expect(own.state.isOver).toBe(false);
  for (let count = 0; count < 3; count += 1) await storeSession(database);
  await sequenceEvents(database);
  await expect.poll(() => own.state.isOver).toBe(true);
});

test("an event between a reader's read and its wait is not missed", async () => {
  const [watch, partnerId] = [newWatch(), someId()];
  const change = watch.waitForChange(partnerId, signal);
  await happen(partnerId);
  await expect(change).resolves.toBeUndefined();
});

test("a wait ends when its signal aborts and when the service stops, and no wait begins after that", async () => {
  const { watch, partnerId } = await newReader();
  const own = new AbortController();
  const waits = [watch.waitForChange(partnerId, own.signal), watch.waitForChange(partnerId, signal)];
  expect(watch.waiting).toBe(2);
  own.abort();
  await waits[0];
  expect(watch.waiting).toBe(1);
  watch.stop();
  await waits[1];
  expect(watch.waiting).toBe(0);
  await watch.waitForChange(partnerId, signal);
});

test("the database is polled only while a reader waits", async () => {
  const { proxy, events } = await proxiedEvents();
  let queries = 0;
  proxy.choose = (statement) => {
    if (/event/i.test(statement)) queries += 1;
    return undefined;
  };
  const watch = newWatch(events);
  const wait = new AbortController();
  const waiting = [someId(), someId()].map(async (partnerId) => {
    while (!wait.signal.aborted) await watch.waitForChange(partnerId, wait.signal);
  });
  await expect.poll(() => queries).toBeGreaterThan(3);
  wait.abort();
  await Promise.all(waiting);
  await pause(100);
  const before = queries;
  await pause(200);
  expect(queries).toBe(before);
  // Who comes later is told again.
  const { state } = watched(watch.waitForChange(someId(), signal));
  await expect.poll(() => state.isOver).toBe(true);
});

test("readers keep waiting while the database is down, and get the events of that time when it is back", async () => {
  const { proxy, events } = await proxiedEvents();
  const { watch, partnerId } = await newReader(events);
  const own = watched(watch.waitForChange(partnerId, signal));
  proxy.choose = () => "request";
  await expect.poll(() => proxy.cuts).toBeGreaterThan(2);
  expect(own.state.isOver).toBe(false);
  await happen(partnerId);
  proxy.choose = () => undefined;
  await own.over;
});
