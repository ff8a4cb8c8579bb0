import type { RowDataPacket } from "mysql2/promise";
import { expect, test } from "vitest";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { erasePerson } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { worldOfFile } from "../../support/of-file.ts";
import { newDeliverer, runUntil } from "../../support/webhooks/delivering.ts";
import type { Answering, Received } from "../../support/webhooks/receiver.ts";

const day = 24 * 60 * 60_000;
/** A clock so far behind that every retry is due at once. */
const behind = { aheadMs: -2 * day };
/** A clock so far ahead that no retry is due, however long the test takes. */
const ahead = { aheadMs: day };

const world = await worldOfFile();

async function newEndpoint(answer?: Answering) {
  const { partnerId, receiver, endpoint } = await world.addReceiver({ answer });
  return { partnerId, receiver, id: endpoint.id, read: () => rowOf(endpoint.id) };
}

async function rowOf(id: string): Promise<RowDataPacket> {
  const [row] = await world.rowsOf("webhook_endpoints", id);
  if (row === undefined) throw new Error("there is no such endpoint");
  return row;
}

const parkedOf = (id: string) => world.rowsOf("webhook_deliveries", id);

const attemptsOf = (endpoint: { readonly id: string; readonly partnerId: string }) =>
  world.stores.webhooks.listAttempts(endpoint, 1e9, 100, signal);

const format = ({ event }: Received) => `${event.sequence} ${event.type.replace("session.", "")}`;
/** Nobody has anything under way to the endpoint, nor will have before its time. */
const isIdle = (id: string) => async () => {
  const { claim_id: claimId, due_at: dueAt, is_later: isLater } = await rowOf(id);
  return claimId === null && (dueAt === null || isLater === 1);
};

test("every event of the types arrives once, and the endpoint has nothing to do then", async () => {
  const { partnerId, receiver, id, read } = await newEndpoint();
  await world.publishSessions(partnerId, 5, { isStarted: true });
  const deliverer = newDeliverer(world);
  await runUntil(deliverer, async () => receiver.received.length >= 10 && (await isIdle(id)()));
  const sequences = receiver.received.map(({ event }) => Number(event.sequence)).toSorted((one, two) => one - two);
  expect(sequences).toEqual(Array.from({ length: 10 }, (_, index) => index + 1));
  expect(await read()).toMatchObject({ sequence: 10, failures: 0, due_at: null, disabled_reason: null });
});

test("events of one session arrive in their order, one at a time", async () => {
  const underWay = new Set<string>();
  let isOverlapping = false;
  const { partnerId, receiver } = await newEndpoint(({ event }) => {
    const { sessionId = "" } = event.data;
    if (underWay.has(sessionId)) isOverlapping = true;
    underWay.add(sessionId);
    setImmediate(() => underWay.delete(sessionId));
    return { status: 200 };
  });
  const ids = await Promise.all(Array.from({ length: 20 }, () => world.addSession(partnerId, { isStarted: true })));
  await world.sequence();
  await runUntil(newDeliverer(world), () => receiver.received.length >= 40);
  for (const id of ids) {
    const own = receiver.received.filter(({ event }) => event.data.sessionId === id).map(({ event }) => event.type);
    expect(own).toEqual(["session.created", "session.started"]);
  }
  expect(isOverlapping).toBe(false);
});

test("events behind a refused one wait, those of other sessions are sent, and the order is kept once it is accepted", async () => {
  let isRefusing = true;
  let refusal = "";
  const { partnerId, receiver, id } = await newEndpoint(({ event }) => ({
    status: isRefusing && event.data.sessionId === refusal ? 500 : 204,
  }));
  refusal = await world.addSession(partnerId, { isStarted: true });
  const other = await world.publishSession(partnerId, { isStarted: true });
  await runUntil(newDeliverer(world, ahead), async () => receiver.received.length === 3 && (await isIdle(id)()));
  const of = (session: string) => receiver.received.filter(({ event }) => event.data.sessionId === session);
  expect(of(other).map(({ event }) => event.type)).toEqual(["session.created", "session.started"]);
  const [first, second] = await parkedOf(id);
  expect(first).toMatchObject({ attempts: 1, is_later: 1, dead_at: null });
  expect(second).toMatchObject({ attempts: 0, next_at: null, dead_at: null });
  const parked = await world.stores.webhooks.listParked({ id, partnerId }, 0, 10, signal);
  expect(parked.map(({ nextAt }) => nextAt === null)).toEqual([false, true]);
  isRefusing = false;
  await world.connection.query("UPDATE webhook_deliveries SET next_at = NOW(3) WHERE next_at IS NOT NULL");
  await world.change(id, "due_at = NOW(3)");
  await runUntil(newDeliverer(world), async () => (await parkedOf(id)).length === 0 && (await isIdle(id)()));
  const types = of(refusal).map(({ event }) => event.type);
  expect(types).toEqual(["session.created", "session.created", "session.started"]);
  expect(new Set(of(refusal).map(({ headers }) => headers["webhook-id"])).size).toBe(2);
});

test("an event that is always refused is dead after ten attempts, and the next of its session follows", async () => {
  const { partnerId, receiver, id } = await newEndpoint(({ event }) => ({
    status: event.type === "session.created" ? 500 : 204,
  }));
  await world.publishSession(partnerId, { isStarted: true });
  const deliverer = newDeliverer(world, behind);
  await runUntil(deliverer, async () => receiver.received.length === 11 && (await isIdle(id)()));
  expect(receiver.received.map(format)).toEqual([...Array.from({ length: 10 }, () => "1 created"), "2 started"]);
  expect(await parkedOf(id)).toMatchObject([{ sequence: 1, attempts: 10, next_at: null }]);
  expect(deliverer.told).toEqual(["died"]);
});

test("an endpoint is paused after three failures in a row, and continues where it stopped when a probe is accepted", async () => {
  let status = 500;
  const { partnerId, receiver, id, read } = await newEndpoint(() => ({ status }));
  await world.publishSessions(partnerId, 6);
  await runUntil(newDeliverer(world, ahead), async () => (await read()).failures === 3 && (await isIdle(id)()));
  expect(await read()).toMatchObject({ sequence: 3, is_later: 1 });
  expect(await parkedOf(id)).toHaveLength(3);
  // A wake-up changes nothing before the rest is over.
  await world.publishSession(partnerId);
  expect(await read()).toMatchObject({ is_later: 1 });
  await world.change(id, "paused_until = NULL, due_at = NOW(3)");
  await runUntil(newDeliverer(world, ahead), async () => (await read()).failures === 4 && (await isIdle(id)()));
  expect(receiver.received).toHaveLength(4);
  expect(await read()).toMatchObject({ is_later: 1 });
  // A probe is no attempt of its event.
  expect((await parkedOf(id)).map(({ attempts }) => attempts)).toEqual([1, 1, 1, 0]);
  status = 204;
  await world.change(id, "paused_until = NULL, due_at = NOW(3)");
  await runUntil(newDeliverer(world), async () => (await read()).sequence === 7 && (await isIdle(id)()));
  expect(await read()).toMatchObject({ failures: 0, failing_since: null, paused_until: null });
  const numbers = receiver.received.slice(4).map(({ event }) => Number(event.sequence));
  expect(numbers.toSorted((one, two) => one - two)).toEqual([4, 5, 6, 7]);
});

test("an endpoint that accepted nothing for five days is disabled, and keeps its place", async () => {
  const { partnerId, id, read } = await newEndpoint(() => ({ status: 500 }));
  await world.publishSession(partnerId);
  await world.change(id, "failures = 9, failing_since = NOW(3) - INTERVAL 6 DAY");
  const deliverer = newDeliverer(world);
  await runUntil(deliverer, async () => (await read()).disabled_reason !== null);
  expect(await read()).toMatchObject({ disabled_reason: "failing", due_at: null });
  expect(await parkedOf(id)).toMatchObject([{ sequence: 1, attempts: 0 }]);
  expect(deliverer.told).toEqual(["disabled failing"]);
});

test("the result of a delivery whose claim has expired is dropped, and another process sends the event again under the same id", async () => {
  const { promise: firstAnswer, resolve: letGo } = Promise.withResolvers<{ status: number }>();
  let requests = 0;
  const { partnerId, receiver, id, read } = await newEndpoint(() => {
    requests += 1;
    return requests === 1 ? firstAnswer : { status: 204 };
  });
  await world.publishSession(partnerId);
  const slow = newDeliverer(world);
  await runUntil(slow, () => receiver.received.length === 1);
  await world.change(id, "due_at = NOW(3), claim_ends_at = NOW(3)");
  await runUntil(newDeliverer(world), async () => receiver.received.length === 2 && (await isIdle(id)()));
  letGo({ status: 204 });
  await runUntil(slow, () => slow.results.length === 1);
  await slow.stop();
  // The other process lists its own.
  expect((await attemptsOf({ id, partnerId })).map(({ status }) => status)).toEqual([204]);
  expect(await read()).toMatchObject({ failures: 0, due_at: null });
  expect(await parkedOf(id)).toEqual([]);
  const [one, two] = receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(one).toBe(two);
});

test("an event that cannot be described is parked and reported once, and the others of its session and others go on", async () => {
  const { partnerId, receiver, id, read } = await newEndpoint();
  await world.addSession(partnerId, { isStarted: true });
  await world.publishSession(partnerId);
  await world.connection.query("UPDATE events SET assessment_id = NULL WHERE partner_id = ? AND sequence = 1", [
    uuidToBytes(partnerId),
  ]);
  const defects: unknown[] = [];
  const deliverer = newDeliverer(world, { reportDefect: (error) => void defects.push(error) });
  await runUntil(deliverer, async () => receiver.received.length === 2 && (await isIdle(id)()));
  expect(receiver.received.map(({ event }) => event.sequence).toSorted()).toEqual(["2", "3"]);
  expect([defects.length, deliverer.told]).toEqual([1, ["died"]]);
  expect(await parkedOf(id)).toMatchObject([{ sequence: 1, attempts: 1, next_at: null, dead_at: expect.any(Date) }]);
  const errors = (await attemptsOf({ id, partnerId })).map(({ sequence, error }) => `${sequence} ${error ?? ""}`);
  expect(errors.toSorted()).toEqual(["1 undescribable", "2 ", "3 "]);
  expect(await read()).toMatchObject({ failures: 0, disabled_reason: null });
});

test("an event that was erased before it was sent is not sent, parked or not", async () => {
  const { partnerId, receiver, id } = await newEndpoint(({ event }) => ({
    status: event.type === "session.created" ? 500 : 204,
  }));
  await world.publishSession(partnerId, { isStarted: true, externalId: "Ada" });
  await runUntil(newDeliverer(world, ahead), async () => receiver.received.length === 1 && (await isIdle(id)()));
  await erasePerson(world.stores.sessions, partnerId, "Ada");
  await world.sequence();
  await world.change(id, "due_at = NOW(3)");
  await runUntil(newDeliverer(world, behind), async () => receiver.received.length === 2 && (await isIdle(id)()));
  expect(receiver.received.map(({ event }) => event.type)).toEqual(["session.created", "session.erased"]);
  expect(await parkedOf(id)).toEqual([]);
});

test("external ids are sent to endpoints that ask for them", async () => {
  const { partnerId, receiver } = await world.addReceiver({ includeExternalId: true });
  await world.publishSession(partnerId, { externalId: "Ada Lovelace" });
  await runUntil(newDeliverer(world), () => receiver.received.length === 1);
  expect(receiver.received[0]?.event.data.externalId).toBe("Ada Lovelace");
});

test("a stop waits for requests under way, stores what they did, and leaves nothing claimed", async () => {
  const { partnerId, receiver, read } = await newEndpoint();
  await world.publishSession(partnerId);
  const deliverer = newDeliverer(world);
  await deliverer.run();
  await expect.poll(() => receiver.received.length).toBe(1);
  await deliverer.stop();
  expect(await read()).toMatchObject({ sequence: 1, claim_id: null });
});

test("an endpoint that starts before the oldest event kept says so, and continues with that", async () => {
  const { partnerId, receiver, id, read } = await newEndpoint();
  await world.publishSessions(partnerId, 3);
  const partner = uuidToBytes(partnerId);
  await world.connection.query("DELETE FROM events WHERE partner_id = ? AND sequence <= 2", [partner]);
  await world.connection.query("UPDATE event_heads SET expired_sequence = 2 WHERE partner_id = ?", [partner]);
  await runUntil(newDeliverer(world), async () => (await read()).sequence === 3 && (await isIdle(id)()));
  expect(receiver.received.map(({ event }) => event.sequence)).toEqual(["3"]);
  expect((await attemptsOf({ id, partnerId })).map(({ error, sequence }) => [error, sequence])).toContainEqual([
    "expired",
    2n,
  ]);
});

test("the sweep finds endpoints that nobody scheduled", async () => {
  const { partnerId, receiver, id } = await newEndpoint();
  await runUntil(newDeliverer(world), isIdle(id));
  await world.publishSession(partnerId);
  await world.change(id, "due_at = NULL");
  await newDeliverer(world).run();
  expect(receiver.received).toEqual([]);
  await world.wake();
  await runUntil(newDeliverer(world), () => receiver.received.length === 1);
});

test("a metric that throws is reported, and neither repeats a delivery nor stops those that follow", async () => {
  const { partnerId, receiver, id } = await newEndpoint();
  const [defects, defect] = [[] as unknown[], new Error("no such label")];
  const deliverer = newDeliverer(world, {
    reportDefect: (error) => void defects.push(error),
    onAttempt: () => {
      throw defect;
    },
  });
  for (let count = 1; count <= 2; count += 1) {
    await world.publishSession(partnerId);
    await runUntil(deliverer, async () => receiver.received.length === count && (await isIdle(id)()));
  }
  expect(receiver.received.map(format)).toEqual(["1 created", "2 created"]);
  // Endpoints of other tests may be due again meanwhile.
  expect(defects.length).toBeGreaterThanOrEqual(2);
  expect(new Set(defects)).toEqual(new Set([defect]));
});

test("an endpoint is not disabled for its failures by a clock in doubt", async () => {
  const { partnerId, id, read } = await newEndpoint(() => ({ status: 500 }));
  await world.publishSession(partnerId);
  await world.change(id, "failures = 9, failing_since = NOW(3) - INTERVAL 6 DAY");
  await runUntil(newDeliverer(world, { isTrusted: false }), async () => (await read()).failures === 10);
  expect(await read()).toMatchObject({ disabled_reason: null });
});
