// Deliveries beside endpoints that never answer: of other partners, and with names that nobody answers for.
import { createSocket } from "node:dgram";
import { createServer } from "node:http";
import type { RowDataPacket } from "mysql2/promise";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { maxEndpoints } from "../../../src/domain/webhooks/endpoint.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { listenOnLoopback } from "../../support/processes/loopback.ts";
import { type DeliveryWorld, newDeliverer, openDeliveryWorld } from "../../support/webhooks/delivering.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";
import { newSender } from "../../support/webhooks/sender.ts";

/** As in production. */
const concurrency = 128;

let world: DeliveryWorld;
beforeEach(async () => {
  world = await openDeliveryWorld();
});
afterEach(() => world.close());

/** Partners with so many endpoints, of different URLs, and so many events. @returns the ids of the endpoints */
async function addPartners(count: number, url: string, endpoints: number, events: number): Promise<string[]> {
  const ids: string[] = [];
  for (let partner = 0; partner < count; partner += 1) {
    const partnerId = await world.addPartner();
    for (let endpoint = 0; endpoint < endpoints; endpoint += 1) {
      ids.push((await world.addEndpoint(partnerId, `${url}/${ids.length}`)).endpoint.id);
    }
    await world.publishSessions(partnerId, events);
  }
  return ids;
}

test("a new endpoint, and a healthy one after a restart, get their events before any of 560 silent ones of 35 partners has timed out", async () => {
  const silent = await startReceiver(() => undefined);
  await addPartners(35, silent.url, maxEndpoints, 1);
  const receiver = await startReceiver();
  const partnerId = await world.addPartner();
  const first = newDeliverer(world, { concurrency });
  await expect.poll(async () => first.run().then(() => silent.received.length)).toBeGreaterThan(30);
  await world.addEndpoint(partnerId, receiver.url);
  await world.publishSession(partnerId);
  await expect.poll(async () => first.run().then(() => receiver.received.length)).toBe(1);
  await expect.poll(() => first.results.map(({ status }) => status)).toEqual([204]);
  await first.stop(0);
  const second = newDeliverer(world, { concurrency });
  await expect.poll(async () => second.run().then(() => silent.received.length)).toBeGreaterThan(60);
  await world.publishSession(partnerId);
  await expect.poll(async () => second.run().then(() => receiver.received.length)).toBe(2);
  await expect.poll(() => second.results.map(({ status }) => status)).toEqual([204]);
  silent.stop();
});

test("a new endpoint gets its events beside fifty silent ones and fifty with unanswered DNS queries, before any of them has failed", async () => {
  const nobody = createSocket("udp4");
  await new Promise<void>((resolve) => nobody.bind(0, "127.0.0.1", resolve));
  onTestFinished(() => void nobody.close());
  const { sender } = newSender(`127.0.0.1:${nobody.address().port}`, "127.0.0.0/8");
  const silent = await startReceiver(() => undefined);
  const ids = await addPartners(7, silent.url, maxEndpoints, 1);
  for (const [index, id] of ids.slice(0, 50).entries()) {
    const url = Buffer.from(`https://receiver-${index}.example/`);
    await world.connection.query("UPDATE webhook_endpoints SET url = ? WHERE id = ?", [url, uuidToBytes(id)]);
  }
  const receiver = await startReceiver();
  const partnerId = await world.addPartner();
  await world.addEndpoint(partnerId, receiver.url);
  await world.publishSession(partnerId, { isStarted: true });
  const deliverer = newDeliverer({ ...world, wiring: { ...world.wiring, sender } }, { concurrency });
  const statuses = () => deliverer.results.map(({ status }) => status);
  await expect.poll(async () => deliverer.run().then(statuses)).toEqual([204, 204]);
  expect(silent.received).not.toEqual([]);
  silent.stop();
});

test("an endpoint that is due waits while others use all connections that it may have", async () => {
  const silent = await startReceiver(() => undefined);
  await addPartners(6, silent.url, 1, 1);
  // New endpoints have half of the connections.
  const { run } = newDeliverer(world, { concurrency: 4 });
  await expect.poll(async () => run().then(() => silent.received.length)).toBeGreaterThan(1);
  await run();
  const [claims] = await world.connection.query<RowDataPacket[]>(
    "SELECT 1 FROM webhook_endpoints WHERE claim_id IS NOT NULL",
  );
  expect(claims).toHaveLength(2);
  silent.stop();
});

test("endpoints that stop answering have at once no more than the part of slow ones", async () => {
  const paths = new Set<string>();
  const server = createServer(({ url = "", socket }) => {
    if (!paths.has(url)) socket.destroy();
    paths.add(url);
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => server.closeAllConnections());
  await addPartners(8, `http://127.0.0.1:${port}`, 1, 2);
  await world.connection.query("UPDATE webhook_endpoints SET last_answered = 'yes'");
  const { run, results } = newDeliverer(world, { concurrency: 8 });
  await expect.poll(async () => run().then(() => results.length)).toBe(8);
  await run();
  const [claims] = await world.connection.query<RowDataPacket[]>(
    "SELECT last_answered FROM webhook_endpoints WHERE claim_id IS NOT NULL",
  );
  expect(claims.map((row) => String(row.last_answered))).toEqual(["no", "no"]);
});

test("a connection whose delivery has ended serves others, while the rest of its claim waits for a response", async () => {
  const silentPaths = new Set<string>();
  const slow = await startReceiver(({ path }) => {
    if (silentPaths.has(path)) return { status: 204 };
    silentPaths.add(path);
    return undefined;
  });
  await addPartners(2, slow.url, 1, 2);
  await world.connection.query("UPDATE webhook_endpoints SET last_answered = 'yes'");
  const { run, results } = newDeliverer(world, { concurrency: 4 });
  await expect.poll(async () => run().then(() => results.length)).toBe(2);
  const { receiver, partnerId } = await world.addReceiver();
  await world.publishSession(partnerId);
  await expect.poll(async () => run().then(() => receiver.received.length)).toBe(1);
  expect(results.filter(({ status }) => status === null)).toEqual([]);
  slow.stop();
});
