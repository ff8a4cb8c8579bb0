// Endpoints with much to do: page after page while they have their turn, and then the turn of others.
import type { RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/rows.ts";
import { someRecording } from "../../support/builders.ts";
import { type DeliveryWorld, newDeliverer, openDeliveryWorld } from "../../support/webhooks/delivering.ts";
import { type Answer, type Answering, startReceiver } from "../../support/webhooks/receiver.ts";

const { signal } = new AbortController();
const soon = { timeout: 20_000, interval: 20 };
/** No lease ends while time stands still, and by a clock that is ahead no retry is due. */
const standingStill = { agedMs: () => -performance.now(), aheadMs: 24 * 60 * 60_000 };
const sessionsAtOnce = 4;
const pageSize = 100;
const maxUnsaved = 500;
const turnMs = 20_000;
/** In which every process looks for endpoints. */
const handOverMs = 500;
/** Less than a lease lasts. */
const stepMs = 7_000;

let world: DeliveryWorld;
beforeAll(async () => {
  world = await openDeliveryWorld();
});
afterAll(() => world.close());

async function newEndpoint(answer?: Answering) {
  const partnerId = await world.addPartner();
  const receiver = await startReceiver(answer);
  const { endpoint } = await world.addEndpoint(partnerId, receiver.url);
  const addSessions = async (count: number) => {
    for (let added = 0; added < count; added += sessionsAtOnce) {
      await Promise.all(Array.from({ length: sessionsAtOnce }, () => world.addSession(partnerId)));
    }
  };
  /** Whether somebody has it, when it is due, and the time. */
  const read = async () => {
    const sql = "SELECT lease_id IS NOT NULL AS is_leased, due_at, NOW(3) AS `now` FROM webhook_endpoints WHERE id = ?";
    const [[row]] = await world.connection.query<RowDataPacket[]>(sql, [uuidToBytes(endpoint.id)]);
    return { isLeased: row?.is_leased === 1, dueAt: Number(row?.due_at), now: Number(row?.now) };
  };
  const isLeased = async () => (await read()).isLeased;
  const typesOf = (sessionId: string) =>
    receiver.received.filter(({ event }) => event.data.sessionId === sessionId).map(({ event }) => event.type);
  return { partnerId, endpoint, received: receiver.received, addSessions, read, isLeased, typesOf };
}

test("page follows page without a save in between, until so many events are not saved", async () => {
  const { received, addSessions } = await newEndpoint();
  const all = maxUnsaved + pageSize;
  await addSessions(all);
  await world.sequence();
  const { run } = newDeliverer(world, standingStill);
  await run();
  await expect.poll(() => received.length, soon).toBe(maxUnsaved);
  // It waits for the save, while another process sends as much as a page.
  const other = await newEndpoint();
  await other.addSessions(pageSize);
  await world.sequence();
  await newDeliverer(world, standingStill).run();
  await expect.poll(() => other.received.length, soon).toBe(pageSize);
  expect(received).toHaveLength(maxUnsaved);
  // The last answers are on their way when their requests are here: until they have arrived there is nothing to save.
  const goesOn = async () => {
    await run();
    return received.length;
  };
  await expect.poll(goesOn, soon).toBe(all);
  const sequences = received.map(({ event }) => Number(event.sequence));
  expect(new Set(sequences)).toEqual(new Set(Array.from({ length: all }, (_, index) => index + 1)));
});

test("what is behind a refused event waits also in a later page", async () => {
  let refused = "";
  const { partnerId, received, addSessions, isLeased, typesOf } = await newEndpoint(({ event }) => ({
    status: event.data.sessionId === refused ? 500 : 204,
  }));
  refused = await world.addSession(partnerId);
  await world.sequence();
  await addSessions(pageSize);
  await world.sequence();
  await world.stores.sessions.saveAnswers({ partnerId, id: refused }, 0, someRecording([1]), signal);
  await world.sequence();
  const { run } = newDeliverer(world, standingStill);
  await run();
  await expect.poll(() => received.length, soon).toBe(pageSize);
  const isOver = async () => {
    await run();
    return received.length > pageSize && !(await isLeased());
  };
  await expect.poll(isOver, soon).toBe(true);
  expect(received).toHaveLength(1 + pageSize);
  expect(typesOf(refused)).toEqual(["session.created"]);
});

test("a replay goes on behind its first page, to the last event of its range", async () => {
  const { endpoint, received, addSessions, isLeased } = await newEndpoint();
  const [all, until] = [pageSize + 2 * sessionsAtOnce, pageSize + sessionsAtOnce];
  await addSessions(all);
  await world.sequence();
  const { run } = newDeliverer(world);
  const isIdleAfter = (count: number) => async () => {
    await run();
    return received.length === count && !(await isLeased());
  };
  await expect.poll(isIdleAfter(all), soon).toBe(true);
  const { webhooks } = world.stores;
  expect(await webhooks.beginReplay(endpoint, { after: 0, until }, signal)).toBe(true);
  await expect.poll(isIdleAfter(all + until), soon).toBe(true);
  const replayed = received.slice(all).map(({ event }) => Number(event.sequence));
  expect(new Set(replayed)).toEqual(new Set(Array.from({ length: until }, (_, index) => index + 1)));
  expect((await webhooks.findEndpoint(endpoint.partnerId, endpoint.id, signal))?.replay).toBeNull();
});

test("after twenty seconds an endpoint with more to do is given back, and others come first", async () => {
  const { promise: held, resolve: letGo } = Promise.withResolvers<Answer>();
  const { partnerId, received, addSessions, read, isLeased } = await newEndpoint(() => held);
  await addSessions(pageSize);
  await world.addSession(partnerId);
  await world.sequence();
  let agedMs = 0;
  // It takes the endpoint once: for what comes later it may be the first again, however slow the others are.
  const shards = world.shards.map((shard) => {
    const { deliveries } = shard;
    let claims = 0;
    const claimEndpoints: typeof deliveries.claimEndpoints = async (...args) => {
      claims += 1;
      return claims === 1 ? deliveries.claimEndpoints(...args) : { endpoints: [], isEnd: true };
    };
    return { ...shard, deliveries: { ...deliveries, claimEndpoints } };
  });
  const busy = newDeliverer({ ...world, shards }, { agedMs: () => agedMs });
  await busy.run();
  await expect.poll(() => received.length, soon).toBe(1);
  for (agedMs = stepMs; agedMs < turnMs; agedMs += stepMs) await busy.run();
  expect(await isLeased()).toBe(true);
  letGo({ status: 204 });
  await expect.poll(() => received.length, soon).toBe(pageSize);
  const before = await read();
  const givesBack = async () => {
    await busy.run();
    return !(await isLeased());
  };
  await expect.poll(givesBack, soon).toBe(true);
  expect((await read()).dueAt - before.now).toBeGreaterThanOrEqual(handOverMs);
  expect(received).toHaveLength(pageSize);
  const other = newDeliverer(world);
  const takesOver = async () => {
    await other.run();
    return received.length;
  };
  await expect.poll(takesOver, soon).toBe(pageSize + 1);
});
