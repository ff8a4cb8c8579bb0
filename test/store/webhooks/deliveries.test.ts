// What the store keeps of deliveries, from one turn to the next.
import { create } from "@bufbuild/protobuf";
import type { RowDataPacket } from "mysql2/promise";
import { expect, onTestFinished, test } from "vitest";
import { sql } from "../../../src/database/statement.ts";
import { type EventType, toEventCode } from "../../../src/domain/events/event-types.ts";
import { maxPage } from "../../../src/domain/webhooks/claims.ts";
import type { EndedClaim } from "../../../src/domain/webhooks/deliveries.ts";
import type { ParkedDelivery } from "../../../src/domain/webhooks/delivery-outcome.ts";
import { disabledReasons, downAfter, type Endpoint, type EndpointKey } from "../../../src/domain/webhooks/endpoint.ts";
import { ReplayEventsRequestSchema, WebhookOutcome } from "../../../src/gen/assessment/v1/webhook_service_pb.ts";
import { dayMs } from "../../../src/kernel/environment.ts";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { removeExpired } from "../../../src/services/retention/maintenance.ts";
import { createWebhookService, listAttempts } from "../../../src/services/webhooks/webhook-service.ts";
import { createStores } from "../../../src/store/stores.ts";
import type { Settled } from "../../../src/store/webhooks/settle-and-claim.ts";
import { at, someId, someSealedSecret } from "../../support/builders.ts";
import { poolOfTest } from "../../support/databases/pool.ts";
import { batchesOf } from "../../support/databases/stores.ts";
import { signal } from "../../support/deadline.ts";
import { someCall } from "../../support/dependencies.ts";
import { worldOfFile } from "../../support/of-file.ts";
import { openDeliveryWorld } from "../../support/webhooks/delivering.ts";

const retried = { attempts: 1, nextAt: at(5), deadAt: null };

const world = await worldOfFile();

async function newEndpoint() {
  const { endpoint } = await world.addEndpoint(await world.addPartner(), "http://127.0.0.1:9/hooks");
  return endpoint;
}

interface StoredDelivery extends ParkedDelivery {
  readonly sequence: number;
  readonly resourceId: string;
  readonly type: EventType;
}

/** Stores deliveries of an endpoint as they stand. */
async function store({ id, partnerId }: EndpointKey, ...deliveries: readonly StoredDelivery[]): Promise<void> {
  const rows = deliveries.map(({ sequence, resourceId, type, attempts, nextAt, deadAt }) => [
    ...[uuidToBytes(partnerId), uuidToBytes(id), sequence, uuidToBytes(resourceId), toEventCode(type)],
    ...[attempts, nextAt, deadAt],
  ]);
  const columns = "partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at, dead_at";
  await world.connection.query(`INSERT INTO webhook_deliveries (${columns}) VALUES ?`, [rows]);
}

/** Stores attempts of an endpoint, none of them of an event that is kept. @param statuses of the first one, the second … */
async function storeAttempts({ id, partnerId }: EndpointKey, statuses: readonly number[]): Promise<void> {
  const rows = statuses.map((status, index) => [
    ...[uuidToBytes(partnerId), uuidToBytes(id), index + 1, index + 1, uuidToBytes(someId())],
    ...[toEventCode("session.started"), 1, at(0), status, 3, at(60)],
  ]);
  const columns = "partner_id, endpoint_id, id, sequence, resource_id, type, attempt, at, status, took_ms, expires_at";
  await world.connection.query(`INSERT INTO webhook_attempts (${columns}) VALUES ?`, [rows]);
}

/** Settles a claim, and claims others. */
async function takeTurn(endpoint: EndpointKey, ended: EndedClaim | undefined, connections: number): Promise<Settled> {
  const context = { now: Date.now(), isTrusted: true, drawFraction: Math.random };
  return world.stores.deliveries.settleAndClaim([{ endpoint, endedClaim: ended, connections }], context, signal);
}

/** A claim of which all, or only so many deliveries were sent. */
function endedWith({ claims: [claim] }: Settled, status: number | null, count = maxPage): EndedClaim | undefined {
  const result = { status, error: status === null ? "timeout" : null, tookMs: 3, retryAfterSeconds: null };
  const results = claim?.deliveries.slice(0, count).map((delivery) => ({ delivery, at: new Date(), result }));
  return claim && results && { claim, results };
}

const sequencesOf = ({ claims }: Settled) =>
  claims.flatMap(({ deliveries }) => deliveries.map(({ event }) => event.sequence));

test("a dead event that is delivered once more has all its attempts before it, and keeps its subject", async () => {
  const endpoint = await newEndpoint();
  const { id, partnerId } = endpoint;
  const resourceId = await world.publishSession(partnerId, { isStarted: true });
  const names = (["session.created", "session.started"] as const).map((type) => ({ resourceId, type, occurrence: 1 }));
  const dead = { attempts: 10, nextAt: null, deadAt: at(0) };
  await store(endpoint, { resourceId, type: "session.created", sequence: 1, ...dead });
  expect(await world.stores.webhooks.redeliver(endpoint, names, signal)).toBe(2);
  const name = { partner_id: uuidToBytes(partnerId), endpoint_id: uuidToBytes(id) };
  const row = {
    ...name,
    resource_id: uuidToBytes(resourceId),
    attempts: 0,
    dead_at: null,
    next_at: expect.any(Date),
    is_later: 0,
  };
  expect(await world.rowsOf("webhook_deliveries", id)).toEqual([
    { ...row, sequence: 1, type: toEventCode("session.created") },
    { ...row, sequence: 2, type: toEventCode("session.started") },
  ]);
  const { claims } = await takeTurn(endpoint, undefined, 4);
  expect(claims[0]?.deliveries).toMatchObject([1, 2].map((sequence) => ({ attempts: 0, event: { sequence } })));
});

test("an event that is delivered once more is not overtaken by a later one of its session", async () => {
  const endpoint = await newEndpoint();
  const resourceId = await world.publishSession(endpoint.partnerId, { isStarted: true });
  const first = await takeTurn(endpoint, undefined, 1);
  const second = await takeTurn(endpoint, endedWith(first, 500, 1), 1);
  await takeTurn(endpoint, endedWith(second, 204), 0);
  const makeDue = "UPDATE webhook_deliveries SET next_at = next_at - INTERVAL 60 SECOND WHERE endpoint_id = ?";
  await world.connection.query(makeDue, [uuidToBytes(endpoint.id)]);
  const name = { resourceId, type: "session.created", occurrence: 1 } as const;
  await world.stores.webhooks.redeliver(endpoint, [name], signal);
  expect(sequencesOf(await takeTurn(endpoint, undefined, 1))).toEqual([1]);
});

test("a deleted endpoint gets no secret and no parked event, and leaves nothing behind", async () => {
  const endpoint = await newEndpoint();
  const { id, partnerId } = endpoint;
  const resourceId = await world.publishSession(partnerId);
  const { webhooks } = world.stores;
  const named = { resourceId, type: "session.created", occurrence: 1 } as const;
  expect(await webhooks.deleteEndpoint(partnerId, id, signal)).toBe(true);
  expect(await webhooks.addSecret(partnerId, someSealedSecret(id), 60, signal)).toBeUndefined();
  expect(await webhooks.redeliver(endpoint, [named], signal)).toBe(0);
  expect(await webhooks.listSecrets(endpoint, signal)).toEqual([]);
  expect(await world.rowsOf("webhook_deliveries", id)).toEqual([]);
});

test.each([
  [
    "disabled",
    "endpoint_disabled",
    (key: EndpointKey) => world.update(key.partnerId, { endpointId: key.id, enabled: false }),
  ],
  ["deleted", "not_found", (key: EndpointKey) => world.stores.webhooks.deleteEndpoint(key.partnerId, key.id, signal)],
])("a replay of an endpoint that is %s meanwhile is refused for that", async (_, code, change) => {
  const endpoint = await newEndpoint();
  const { webhooks } = world.stores;
  const beginReplay: typeof webhooks.beginReplay = async (...args) => {
    await change(endpoint);
    return webhooks.beginReplay(...args);
  };
  const service = createWebhookService({ ...world.deps, webhooks: { ...webhooks, beginReplay } } as never);
  const request = create(ReplayEventsRequestSchema, { endpointId: endpoint.id });
  await expect(service.replayEvents(request, someCall(endpoint.partnerId) as never)).rejects.toMatchObject({ code });
});

test("attempts of one outcome are found behind any number of others", async () => {
  const endpoint = await newEndpoint();
  const { id, partnerId } = endpoint;
  await storeAttempts(endpoint, [500, ...Array<number>(2_000).fill(204)]);
  const found: number[] = [];
  let after = "";
  for (let pages = 0; pages < 10; pages += 1) {
    const query = { endpointId: id, after, pageSize: 0, outcome: WebhookOutcome.FAILED } as const;
    const page = await listAttempts(world.deps, query, someCall(partnerId));
    found.push(...page.attempts.map(({ sequence }) => Number(sequence)));
    after = page.next;
    if (after === "") break;
  }
  expect([found, after]).toEqual([[1], ""]);
});

test("an accepted attempt is kept for three days, a failed one for thirty", async () => {
  const endpoint = await newEndpoint();
  await world.publishSessions(endpoint.partnerId, 3);
  let turn = await takeTurn(endpoint, undefined, 1);
  for (const status of [204, 500, null]) turn = await takeTurn(endpoint, endedWith(turn, status, 1), 1);
  const days = (await world.rowsOf("webhook_attempts", endpoint.id)).map((row) => (row.expires_at - row.at) / dayMs);
  expect(days).toEqual([3, 30, 30]);
});

test("events behind an expired one are sent, even if more have expired than are removed at a time", async () => {
  const endpoint = await newEndpoint();
  const { id, partnerId } = endpoint;
  const sessions = [someId(), someId(), someId()];
  for (const resourceId of sessions) await world.addSession(partnerId, { externalId: resourceId });
  await world.sequence();
  const waiting = { attempts: 0, nextAt: null, deadAt: null };
  const parked = sessions.flatMap((resourceId, index) => [
    { resourceId, type: "session.created" as const, ...retried, sequence: index + 1 },
    { resourceId, type: "session.started" as const, ...waiting, sequence: index + 4 },
  ]);
  await store(endpoint, ...parked);
  await world.connection.query("UPDATE event_heads SET expired_sequence = 3 WHERE partner_id = ?", [
    uuidToBytes(partnerId),
  ]);
  await removeExpired({ ...world.deps, clock: () => at(0).getTime(), batchSizes: batchesOf(2) }, signal);
  const rows = await world.rowsOf("webhook_deliveries", id);
  expect(rows.map((row) => [row.sequence, row.next_at])).toEqual([4, 5, 6].map((each) => [each, expect.any(Date)]));
});

test.each([
  ["is disabled", { enabled: false }],
  ["has another URL", { url: "http://127.0.0.1:9/others" }],
])(
  "the result of a delivery to an endpoint that %s meanwhile is stored, and does not change the endpoint",
  async (_, update) => {
    const { id, partnerId } = await newEndpoint();
    await world.publishSession(partnerId);
    const turn = await takeTurn({ id, partnerId }, undefined, 1);
    await world.update(partnerId, { endpointId: id, ...update });
    const changed = await world.stores.webhooks.findEndpoint(partnerId, id, signal);
    expect(await takeTurn({ id, partnerId }, endedWith(turn, 410), 0)).toMatchObject({ claims: [] });
    expect(await world.stores.webhooks.findEndpoint(partnerId, id, signal)).toEqual({ ...changed, sequence: 1 });
    expect(await world.rowsOf("webhook_attempts", id)).toHaveLength(1);
    expect(await world.rowsOf("webhook_deliveries", id)).toMatchObject([{ attempts: 0 }]);
  },
);

test("an endpoint keeps the reason why it is disabled, whatever else is changed, until it is enabled", async () => {
  const { id, partnerId } = await newEndpoint();
  const update = async (change: { description?: string; enabled?: boolean }) =>
    (await world.update(partnerId, { endpointId: id, ...change })).endpoint.disabledReason;
  for (const reason of disabledReasons) {
    await world.change(id, `disabled_reason = '${reason}'`);
    expect(await update({ description: reason })).toBe(reason);
    expect(await update({ enabled: false })).toBe(reason);
    expect(await update({ enabled: true })).toBe(null);
    expect(await update({ enabled: false })).toBe("partner");
  }
});

test("events under way count as not delivered to the endpoint, and so do those that were not sent", async () => {
  const endpoint = await newEndpoint();
  const { id, partnerId } = endpoint;
  await world.publishSessions(partnerId, 3);
  const readProgress = async () => {
    const found = await world.stores.webhooks.findEndpoint(partnerId, id, signal);
    const backlog = await world.stores.webhooks.countBacklog(found ?? { ...endpoint, sequence: 0 }, 10, signal);
    return [found?.sequence, backlog];
  };
  let turn = await takeTurn(endpoint, undefined, 1);
  expect(await readProgress()).toEqual([0, 3]);
  turn = await takeTurn(endpoint, endedWith(turn, 204, 1), 1);
  expect(sequencesOf(turn)).toEqual([2, 3]);
  turn = await takeTurn(endpoint, endedWith(turn, 500, 1), 1);
  // One is to be tried again.
  expect(await readProgress()).toEqual([2, 2]);
  expect(sequencesOf(turn)).toEqual([3]);
});

test("an endpoint keeps its place in the log through changes, and may only skip events ahead of it", async () => {
  const { id, partnerId } = await newEndpoint();
  await world.change(id, "sequence = 7");
  const { webhooks } = world.stores;
  for (const [skipTo, sequence] of [
    [0, 7],
    [5, 7],
    [9, 9],
    [0, 9],
  ] as const) {
    const change = (endpoint: Endpoint) => ({ ...endpoint, resetsFailures: false, skipTo });
    expect(await webhooks.changeEndpoint({ id, partnerId }, change, signal)).toBeUndefined();
    expect((await webhooks.findEndpoint(partnerId, id, signal))?.sequence).toBe(sequence);
  }
});

/** On a schema of its own, since it is of all of them. */
async function openWorld() {
  const own = await openDeliveryWorld();
  onTestFinished(() => own.close());
  const state = () => own.stores.deliveries.readDeliveryState(signal);
  return { ...own, state };
}

test("endpoints are counted by their state, however many there are", async () => {
  const { connection, state } = await openWorld();
  const [disabled, down, all] = [2, 3, 1_003];
  const rows = Array.from({ length: all }, (_, index) => [
    ...[uuidToBytes(someId()), uuidToBytes(someId()), "https://partner.example/", 1, 0, 0],
    ...[index < disabled ? "partner" : null, at(0), 0, index < disabled + down ? downAfter : downAfter - 1],
  ]);
  const columns = "id, partner_id, url, types, include_external_id, revision";
  await connection.query(
    `INSERT INTO webhook_endpoints (${columns}, disabled_reason, created_at, sequence, failures) VALUES ?`,
    [rows],
  );
  expect((await state()).endpoints).toEqual({ disabled, down, healthy: all - disabled - down });
});

test("the age of the oldest event that a healthy endpoint has not received is reported in seconds", async () => {
  const own = await openWorld();
  const partnerId = await own.addPartner();
  const { endpoint } = await own.addEndpoint(partnerId, "http://127.0.0.1:9/hooks");
  await own.publishSessions(partnerId, 3);
  // As an erasure of its session does.
  await own.connection.query("DELETE FROM events WHERE sequence = 2");
  const age = async () => Math.floor((await own.state()).behindSeconds / 600);
  await own.connection.query("UPDATE events SET recorded_at = NOW(3) - INTERVAL 40 - 10 * sequence MINUTE");
  const found = [await age()];
  for (const changes of ["sequence = 1", "failures = 1", "failures = 0, disabled_reason = 'partner'"]) {
    await own.change(endpoint.id, changes);
    found.push(await age());
  }
  expect(found).toEqual([3, 1, 0, 0]);
});

test("a backlog is counted up to a limit, and nothing beyond that is read", async () => {
  const { id, partnerId } = await newEndpoint();
  const [waiting, most] = [300, 10];
  const events = Array.from({ length: waiting }, (_, index) => [
    ...[1_000_000 + index, uuidToBytes(partnerId), index + 1, toEventCode("session.created")],
    ...[uuidToBytes(someId()), at(0), at(0)],
  ]);
  const columns = "position, partner_id, sequence, type, resource_id, occurred_at, recorded_at";
  await world.connection.query(`INSERT INTO events (${columns}) VALUES ?`, [events]);
  const parked = events.map(([, , sequence, , resourceId]) => [
    ...[uuidToBytes(partnerId), uuidToBytes(id), sequence],
    ...[resourceId, toEventCode("session.created"), 1],
  ]);
  await world.connection.query(
    "INSERT INTO webhook_deliveries (partner_id, endpoint_id, sequence, resource_id, type, attempts) VALUES ?",
    [parked],
  );
  // What is read is counted for each connection.
  const handlerReads = sql`SHOW SESSION STATUS LIKE 'Handler_read_%'`;
  const db = poolOfTest({ address: world.address, poolSize: 1 });
  const readRows = () =>
    db.useConnection(signal, async (connection) => {
      const rows = (await connection.execute(handlerReads, {})) as RowDataPacket[];
      const inIndex = rows.filter(({ Variable_name: name }) => /_(?:next|prev)$/.test(name));
      return inIndex.reduce((sum, { Value: count }) => sum + Number(count), 0);
    });
  const { webhooks } = createStores(db);
  const before = await readRows();
  expect(await webhooks.countBacklog({ id, partnerId, sequence: 0 }, most, signal)).toBe(most);
  // Whoever reads one of both lists to its end reads all of it. A server may read some rows of its own.
  expect((await readRows()) - before).toBeLessThan(waiting);
  const behindAll = { id, partnerId, sequence: waiting };
  expect(await webhooks.countBacklog(behindAll, 2 * waiting, signal)).toBe(waiting);
  // What is dead waits for nothing.
  await world.connection.query(
    "UPDATE webhook_deliveries SET dead_at = IF(sequence <= 100, NOW(3), NULL) WHERE partner_id = ?",
    [uuidToBytes(partnerId)],
  );
  expect(await webhooks.countBacklog(behindAll, 2 * waiting, signal)).toBe(waiting - 100);
});
