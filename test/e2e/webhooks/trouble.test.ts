// Deliveries while something else is wrong: the database, a person erased, a process that stands still.
import type { RowDataPacket } from "mysql2/promise";
import { expect, onTestFinished, test } from "vitest";
import { freezeTimeoutSetting } from "../../../src/database/session-settings.ts";
import { bytesToUuid, uuidToBytes } from "../../../src/kernel/ids.ts";
import { openDeliveries } from "../../../src/process/webhook-wiring.ts";
import { someId } from "../../support/builders.ts";
import { proxyBefore } from "../../support/databases/proxied-database.ts";
import { openShards } from "../../support/databases/shards.ts";
import { erasePerson } from "../../support/databases/stored-sessions.ts";
import { signal } from "../../support/deadline.ts";
import { worldOfFile } from "../../support/of-file.ts";
import { newDeliverer, runUntil } from "../../support/webhooks/delivering.ts";
import { startReceiver } from "../../support/webhooks/receiver.ts";

const behind = { aheadMs: -2 * 24 * 60 * 60_000 };

const world = await worldOfFile();

/** The shards, reached through a proxy. */
async function openProxied() {
  const { proxy, url } = await proxyBefore(world.address);
  const opened = await openShards({ url });
  onTestFinished(() => opened[Symbol.asyncDispose]());
  return { proxy, url, ...opened };
}

test("a delivery made while the database is down is stored when it is back, and is not repeated", async () => {
  const { promise: isGone, resolve: letGo } = Promise.withResolvers<{ status: number }>();
  const { partnerId, receiver, endpoint } = await world.addReceiver({ answer: () => isGone });
  await world.publishSessions(partnerId, 3);
  const { proxy, ...proxied } = await openProxied();
  const deliverer = newDeliverer({ ...world, ...proxied });
  await runUntil(deliverer, () => receiver.received.length === 1);
  proxy.choose = () => "request";
  letGo({ status: 204 });
  await expect.poll(() => deliverer.results.length).toBe(3);
  await expect(deliverer.run()).rejects.toMatchObject({ code: "unavailable" });
  expect(await world.rowsOf("webhook_attempts", endpoint.id)).toEqual([]);
  proxy.choose = () => undefined;
  await runUntil(deliverer, async () => (await world.rowsOf("webhook_attempts", endpoint.id)).length === 3, true);
  expect(receiver.received.map(({ event }) => event.sequence).toSorted()).toEqual(["1", "2", "3"]);
  expect(await world.rowsOf("webhook_deliveries", endpoint.id)).toEqual([]);
});

test("an event whose external id cannot be read waits five seconds, whoever is at fault, and is no attempt", async () => {
  const { partnerId, receiver, endpoint } = await world.addReceiver({ includeExternalId: true });
  await world.publishSession(partnerId, { externalId: "Ada" });
  const { proxy, ...proxied } = await openProxied();
  proxy.choose = () => "request";
  const shards = world.shards.map((shard, index) => ({
    ...shard,
    events: proxied.shards[index]?.events ?? shard.events,
  }));
  const deliverer = newDeliverer({ ...world, shards });
  const before = Date.now();
  const pending = async () => (await world.rowsOf("webhook_deliveries", endpoint.id))[0];
  await runUntil(deliverer, async () => (await pending()) !== undefined, true);
  expect(await pending()).toMatchObject({ attempts: 0, dead_at: null });
  expect((await pending())?.next_at.getTime()).toBeGreaterThanOrEqual(before + 5_000);
  expect(await world.rowsOf("webhook_attempts", endpoint.id)).toEqual([]);
  proxy.choose = () => undefined;
  await world.connection.query("UPDATE webhook_deliveries SET next_at = NOW(3)");
  await world.connection.query("UPDATE webhook_endpoints SET due_at = NOW(3)");
  await runUntil(deliverer, () => receiver.received.length === 1, true);
  expect(receiver.received[0]?.event.data.externalId).toBe("Ada");
});

test("an event that is sent while its person is erased leaves an attempt with the session's id, and no retry", async () => {
  const { partnerId, receiver, endpoint } = await world.addReceiver({
    answer: () => undefined,
    includeExternalId: true,
  });
  const sessionId = await world.publishSession(partnerId, { externalId: "Ada" });
  const deliverer = newDeliverer(world, behind);
  await runUntil(deliverer, () => receiver.received.length === 1);
  await erasePerson(world.stores.sessions, partnerId, "Ada");
  receiver.stop();
  await runUntil(deliverer, async () => (await world.rowsOf("webhook_attempts", endpoint.id)).length > 0);
  await runUntil(deliverer, async () => (await world.rowsOf("webhook_deliveries", endpoint.id)).length === 0);
  const attempts = await world.rowsOf("webhook_attempts", endpoint.id);
  expect(attempts.map(({ resource_id, attempt }) => [bytesToUuid(resource_id), attempt])).toEqual([[sessionId, 1]]);
  expect(JSON.stringify(attempts)).not.toContain("Ada");
});

/** Locks an endpoint, as a process would that stands still in the middle of changing it, until it is let go. */
async function locked(endpointId: string): Promise<() => Promise<void>> {
  const connection = await world.openConnection();
  onTestFinished(() => connection.destroy());
  await connection.query("SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED");
  await connection.beginTransaction();
  await connection.query("SELECT id FROM webhook_endpoints FORCE INDEX (PRIMARY) WHERE id = ? FOR UPDATE", [
    uuidToBytes(endpointId),
  ]);
  return () => connection.rollback();
}

test("a locked endpoint does not delay the results of others, and its own are stored when it is free", async () => {
  const { promise: isLocked, resolve: letGo } = Promise.withResolvers<{ status: number }>();
  const receiver = await startReceiver(() => isLocked);
  const addEndpoint = async (name: string) => {
    const partnerId = await world.addPartner();
    const { endpoint } = await world.addEndpoint(partnerId, `${receiver.url}?${name}`);
    await world.publishSession(partnerId);
    return endpoint;
  };
  const [stuck, free] = [await addEndpoint("stuck"), await addEndpoint("free")];
  const deliverer = newDeliverer(world);
  await runUntil(deliverer, () => receiver.received.length === 2);
  const release = await locked(stuck.id);
  letGo({ status: 204 });
  const stored = async (endpointId: string) => (await world.rowsOf("webhook_attempts", endpointId)).length;
  await runUntil(deliverer, async () => (await stored(free.id)) === 1, true);
  expect(await stored(stuck.id)).toBe(0);
  await release();
  await runUntil(deliverer, async () => (await stored(stuck.id)) === 1, true);
  expect(receiver.received).toHaveLength(2);
});

test("a deliverer stops in its time though an endpoint is locked, whose claim expires then", async () => {
  const { promise: isLocked, resolve: letGo } = Promise.withResolvers<{ status: number }>();
  const { partnerId, receiver, endpoint } = await world.addReceiver({ answer: () => isLocked });
  await world.publishSession(partnerId);
  const deliverer = newDeliverer(world);
  await runUntil(deliverer, () => receiver.received.length === 1);
  const release = await locked(endpoint.id);
  letGo({ status: 204 });
  await deliverer.stop(100);
  expect(await world.rowsOf("webhook_attempts", endpoint.id)).toEqual([]);
  await release();
  expect(await world.rowsOf("webhook_endpoints", endpoint.id)).toMatchObject([{ claim_id: expect.any(Buffer) }]);
});

test("the deliverers of several shards together send no more than one may that sends as many", async () => {
  const concurrency = 2;
  const { stores } = world;
  const receivers = await Promise.all(Array.from({ length: 4 }, () => world.addReceiver({ answer: () => undefined })));
  for (const { partnerId } of receivers) await world.addSession(partnerId);
  await world.sequence();
  // Each of them sees its own endpoint.
  const shards = receivers.map(({ endpoint }) => {
    const listDueEndpoints: typeof stores.deliveries.listDueEndpoints = async (...args) =>
      (await stores.deliveries.listDueEndpoints(...args)).filter(({ id }) => id === endpoint.id);
    return { ...stores, deliveries: { ...stores.deliveries, listDueEndpoints } };
  });
  const { run } = newDeliverer({ ...world, shards }, { concurrency });
  await run();
  const ids = receivers.map(({ endpoint }) => uuidToBytes(endpoint.id));
  const sql = "SELECT id FROM webhook_endpoints WHERE id IN (?) AND claim_id IS NOT NULL";
  const [claimed] = await world.connection.query<RowDataPacket[]>(sql, [ids]);
  // One of all connections may be of a new endpoint.
  expect(claimed).toHaveLength(concurrency / 2);
});

test("the sweep skips a locked endpoint", async () => {
  const partnerId = await world.addPartner();
  const receiver = await startReceiver();
  const { endpoint: stuck } = await world.addEndpoint(partnerId, `${receiver.url}?stuck`);
  const { endpoint: free } = await world.addEndpoint(partnerId, `${receiver.url}?free`);
  await world.publishSession(partnerId);
  const ids = [stuck.id, free.id].map(uuidToBytes);
  await world.connection.query("UPDATE webhook_endpoints SET due_at = NULL WHERE id IN (?)", [ids]);
  const release = await locked(stuck.id);
  await world.wake();
  expect(await world.rowsOf("webhook_endpoints", free.id)).toMatchObject([{ due_at: expect.any(Date) }]);
  expect(await world.rowsOf("webhook_endpoints", stuck.id)).toMatchObject([{ due_at: null }]);
  await release();
});

test("deliveries use a connection that the server ends after ten seconds without a statement", async () => {
  const { proxy, url, ...proxied } = await openProxied();
  const statements: string[] = [];
  proxy.choose = (statement) => {
    statements.push(statement);
    return undefined;
  };
  const [{ options } = { options: { address: { url }, warn: () => undefined } }] = proxied.shards;
  const open = openDeliveries(options);
  onTestFinished(() => open[Symbol.asyncDispose]());
  const context = { now: Date.now(), isTrusted: true, drawFraction: Math.random };
  const endpoint = { id: someId(), partnerId: someId() };
  await open.deliveries.settleAndClaim([{ endpoint, endedClaim: undefined, connections: 1 }], context, signal);
  expect(statements).toContain(freezeTimeoutSetting);
  expect(statements.findIndex((each) => each.includes("FROM webhook_endpoints"))).toBeGreaterThan(
    statements.indexOf(freezeTimeoutSetting),
  );
});
