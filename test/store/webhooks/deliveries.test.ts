// What the store keeps of deliveries, from one save to the next.
import { randomBytes } from "node:crypto";
import type { RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { onConnection } from "../../../src/database/connection.ts";
import { openDatabase } from "../../../src/database/database.ts";
import { uuidToBytes } from "../../../src/database/rows.ts";
import { executeText } from "../../../src/database/statement.ts";
import type { EventName } from "../../../src/domain/events/event.ts";
import { listAttempts } from "../../../src/domain/webhooks/delivery-log.ts";
import { downAfter } from "../../../src/domain/webhooks/delivery-policy.ts";
import type { ClaimedEndpoint, LeaseReport } from "../../../src/domain/webhooks/delivery-port.ts";
import { disabledReasons, type Endpoint } from "../../../src/domain/webhooks/endpoint.ts";
import { updateEndpoint } from "../../../src/domain/webhooks/endpoints.ts";
import type { EndpointChange } from "../../../src/domain/webhooks/webhook-port.ts";
import { codeOf } from "../../../src/kernel/event-types.ts";
import { dayMs } from "../../../src/kernel/timers.ts";
import { createStores } from "../../../src/store/stores.ts";
import { at, someId, someReport, someSealedSecret } from "../../support/builders.ts";
import { trustedTime } from "../../support/trusted-clock.ts";
import { type DeliveryWorld, openDeliveryWorld } from "../../support/webhooks/delivering.ts";

const { signal } = new AbortController();
const leaseMs = 60_000;
/** The code of a type that this release does not know. */
const unknownCode = 255;
const refused = { attempt: 1, at: at(0), status: 500, error: null, tookMs: 3 };
const retried = { attempts: 1, nextAt: at(5), deadAt: null };

let world: DeliveryWorld;
beforeAll(async () => {
  world = await openDeliveryWorld();
});
afterAll(() => world.close());

async function newEndpoint() {
  const { endpoint } = await world.addEndpoint(await world.addPartner(), "http://127.0.0.1:9/hooks");
  return endpoint;
}

async function rowsOf(table: "webhook_attempts" | "webhook_parked", endpointId: string): Promise<RowDataPacket[]> {
  const sql = `SELECT * FROM ${table} WHERE endpoint_id = ? ORDER BY sequence`;
  const [rows] = await world.connection.query<RowDataPacket[]>(sql, [uuidToBytes(endpointId)]);
  return rows;
}

function change(table: string, assignments: string, endpointId: string): Promise<unknown> {
  return world.connection.query(`UPDATE ${table} SET ${assignments} WHERE endpoint_id = ?`, [uuidToBytes(endpointId)]);
}

async function claim(id: string): Promise<ClaimedEndpoint> {
  const { endpoints } = await world.stores.deliveries.claimEndpoints(1_000, leaseMs, signal);
  const endpoint = endpoints.find((each) => each.id === id);
  if (endpoint === undefined) throw new Error("the endpoint is not due");
  return endpoint;
}

async function save(endpoint: ClaimedEndpoint, changes: Partial<LeaseReport>): Promise<void> {
  const report = { ...someReport(endpoint), endpoint, isOver: false, ...changes };
  expect(await world.stores.deliveries.saveReports([report], leaseMs, signal)).toEqual({
    lost: new Set(),
    busy: new Set(),
  });
}

test("attempts and parked events tell of a session only where it is one that they are of", async () => {
  const { id, partnerId } = await newEndpoint();
  const event = { resourceId: someId(), type: "session.started" } as const;
  await save(await claim(id), {
    attempts: [
      { ...refused, sequence: 1, event },
      { ...refused, sequence: 2, event: null },
    ],
    parked: [{ ...event, ...retried, sequence: 1 }],
    tried: [{ ...event, ...retried, sequence: 3 }],
  });
  const told = async () => {
    const attempts = await world.stores.webhooks.listAttempts({ id, partnerId }, Number.MAX_SAFE_INTEGER, 10, signal);
    const parked = await world.stores.webhooks.listParked({ id, partnerId }, 0, 10, signal);
    return [attempts, parked].map((entries) => entries.map(({ sequence, sessionId }) => [sequence, sessionId]));
  };
  const code = codeOf("session.started");
  expect((await rowsOf("webhook_attempts", id)).map(({ type }) => type)).toEqual([code, null]);
  expect((await rowsOf("webhook_parked", id)).map(({ type }) => type)).toEqual([code, code]);
  const ofSession = [
    [
      [2, null],
      [1, event.resourceId],
    ],
    [
      [1, event.resourceId],
      [3, event.resourceId],
    ],
  ];
  expect(await told()).toEqual(ofSession);
  for (const table of ["webhook_attempts", "webhook_parked"]) await change(table, `type = ${unknownCode}`, id);
  expect(await told()).toEqual(ofSession.map((entries) => entries.map(([sequence]) => [sequence, null])));
  for (const table of ["webhook_attempts", "webhook_parked"])
    await change(table, `type = ${codeOf("group.closed")}`, id);
  expect(await told()).toEqual(ofSession.map((entries) => entries.map(([sequence]) => [sequence, null])));
});

test("a dead event that is delivered once more has all its tries before it, and keeps what it is of", async () => {
  const endpoint = await newEndpoint();
  const { id, partnerId } = endpoint;
  const resourceId = await world.addSession(partnerId, { isStarted: true });
  await world.sequence();
  const names = (["session.created", "session.started"] as const).map((type) => ({ resourceId, type, occurrence: 1 }));
  const dead = { attempts: 10, nextAt: null, deadAt: at(0) };
  await save(await claim(id), { parked: [{ resourceId, type: "session.created", sequence: 1, ...dead }] });
  expect(await world.stores.webhooks.redeliver(endpoint, names, signal)).toBe(2);
  const name = { partner_id: uuidToBytes(partnerId), endpoint_id: uuidToBytes(id) };
  const row = { ...name, resource_id: uuidToBytes(resourceId), attempts: 0, dead_at: null };
  expect(await rowsOf("webhook_parked", id)).toEqual([
    { ...row, sequence: 1, type: codeOf("session.created"), next_at: expect.any(Date) },
    { ...row, sequence: 2, type: codeOf("session.started"), next_at: expect.any(Date) },
  ]);
  const due = await world.stores.deliveries.listDueParked(endpoint, 10, signal);
  expect(due.map(({ sequence, attempts }) => [sequence, attempts]).toSorted()).toEqual([
    [1, 0],
    [2, 0],
  ]);
});

test("an endpoint that is deleted meanwhile gets no secret, no parked event, and nothing of it is left", async () => {
  const endpoint = await newEndpoint();
  const { id, partnerId } = endpoint;
  const resourceId = await world.addSession(partnerId);
  await world.sequence();
  const { webhooks } = world.stores;
  const named = { resourceId, type: "session.created", occurrence: 1 } as const;
  expect(await webhooks.deleteEndpoint(partnerId, id, signal)).toBe(true);
  expect(await webhooks.addSecret(partnerId, someSealedSecret(id), 60, signal)).toBeUndefined();
  expect(await webhooks.redeliver(endpoint, [named], signal)).toBe(0);
  expect(await webhooks.listSecrets(endpoint, signal)).toEqual([]);
  expect(await rowsOf("webhook_parked", id)).toEqual([]);
});

test("an endpoint fails since its first failure, however many saves there are, until it takes something", async () => {
  const { id, partnerId } = await newEndpoint();
  const failingSince = async () =>
    (await world.stores.webhooks.findEndpoint(partnerId, id, signal))?.failingSince?.getTime() ?? null;
  const endpoint = await claim(id);
  await save(endpoint, { failures: 1 });
  const first = await failingSince();
  if (first === null) throw new Error("it does not fail");
  const daysAgo = "UPDATE webhook_endpoints SET failing_since = failing_since - INTERVAL 4 DAY WHERE id = ?";
  await world.connection.query(daysAgo, [uuidToBytes(id)]);
  for (const failures of [2, 3]) {
    await save(endpoint, { failures });
    expect(await failingSince()).toBe(first - 4 * 24 * 60 * 60_000);
  }
  await save(endpoint, { failures: 0 });
  expect(await failingSince()).toBeNull();
  await save(endpoint, { failures: 1 });
  expect(await failingSince()).toBeGreaterThanOrEqual(first);
});

test("attempts of one outcome are found behind any number of others", async () => {
  const { id, partnerId } = await newEndpoint();
  const event = { resourceId: someId(), type: "session.started" } as const;
  const taken = { ...refused, status: 204, event };
  const attempts = Array.from({ length: 2_000 }, (_, index) => ({ ...taken, sequence: index + 2 }));
  await save(await claim(id), { attempts: [{ ...refused, event, sequence: 1 }, ...attempts] });
  const found: number[] = [];
  let after = "";
  for (let pages = 0; pages < 10; pages += 1) {
    const query = { after, pageSize: 0, only: "failed" } as const;
    const page = await listAttempts({ webhooks: world.stores.webhooks }, partnerId, id, query, world.deadline());
    found.push(...page.entries.map(({ sequence }) => sequence));
    after = page.next;
    if (after === "") break;
  }
  expect([found, after]).toEqual([[1], ""]);
});

test("an attempt that was taken is kept for three days, one that failed for thirty", async () => {
  const { id } = await newEndpoint();
  const attempts = [204, 500, null].map((status, index) => ({ ...refused, status, event: null, sequence: index + 1 }));
  await save(await claim(id), { attempts });
  const days = (await rowsOf("webhook_attempts", id)).map((row) => (row.expires_at - row.at) / dayMs);
  expect(days).toEqual([3, 30, 30]);
});

test("what waits behind an event that is no longer kept goes on, be there more to remove than at a time", async () => {
  const { id, partnerId } = await newEndpoint();
  const sessions = [someId(), someId(), someId()];
  for (const resourceId of sessions) await world.addSession(partnerId, { externalId: resourceId });
  await world.sequence();
  const waiting = { attempts: 0, nextAt: null, deadAt: null };
  const parked = sessions.flatMap((resourceId, index) => [
    { resourceId, type: "session.created" as const, ...retried, sequence: index + 1 },
    { resourceId, type: "session.started" as const, ...waiting, sequence: index + 4 },
  ]);
  await save(await claim(id), { parked });
  await world.connection.query("UPDATE event_heads SET expired_sequence = 3 WHERE partner_id = ?", [
    uuidToBytes(partnerId),
  ]);
  const now = trustedTime(at(0));
  const steps: boolean[] = [];
  while (steps.at(-1) !== false) steps.push(await world.stores.deliveries.deleteExpiredDeliveries(2, now, signal));
  expect(steps).toEqual([true, false]);
  const rows = await rowsOf("webhook_parked", id);
  expect(rows.map((row) => [row.sequence, row.next_at])).toEqual([4, 5, 6].map((each) => [each, expect.any(Date)]));
});

test.each([
  ["is disabled", { isEnabled: false }],
  ["has another URL", { url: "http://127.0.0.1:9/others" }],
])("what a lease tells of an endpoint that %s meanwhile changes nothing of it", async (_, update) => {
  const { id, partnerId } = await newEndpoint();
  const row = async () => {
    const sql = "SELECT * FROM webhook_endpoints WHERE id = ?";
    return (await world.connection.query<RowDataPacket[]>(sql, [uuidToBytes(id)]))[0][0];
  };
  const endpoint = await claim(id);
  const caller = { partnerId, mayNamePersons: true };
  await updateEndpoint(world.deps, caller, id, { ...update, resumesNow: false }, world.deadline());
  const before = await row();
  const report = { ...someReport(endpoint), endpoint, failures: 3 };
  const { lost } = await world.stores.deliveries.saveReports([report], leaseMs, signal);
  expect([lost, await row()]).toEqual([new Set([id]), before]);
});

test("an endpoint goes on to say why it is disabled, whatever else is changed of it, until it is enabled", async () => {
  const { id, partnerId } = await newEndpoint();
  const caller = { partnerId, mayNamePersons: true };
  const update = async (change: { description?: string; isEnabled?: boolean }) =>
    (await updateEndpoint(world.deps, caller, id, { ...change, resumesNow: false }, world.deadline())).disabledReason;
  for (const reason of disabledReasons) {
    const sql = "UPDATE webhook_endpoints SET status = 'disabled', disabled_reason = ? WHERE id = ?";
    await world.connection.query(sql, [reason, uuidToBytes(id)]);
    expect(await update({ description: reason })).toBe(reason);
    expect(await update({ isEnabled: false })).toBe(reason);
    expect(await update({ isEnabled: true })).toBeNull();
    expect(await update({ isEnabled: false })).toBe("partner");
  }
});

type Waker = (endpoint: Endpoint, delivered: readonly EventName[]) => Promise<unknown>;
const unchanged = { isFresh: false, skipTo: undefined };
const wakers: readonly (readonly [string, Waker])[] = [
  ["a test that it takes", (endpoint) => world.stores.webhooks.resumeEndpoint(endpoint, signal)],
  ["enabling", (endpoint) => saveWith(endpoint, { isFresh: true })],
  ["sending an event again", (endpoint, events) => world.stores.webhooks.redeliver(endpoint, events, signal)],
  ["a replay", (endpoint) => world.stores.webhooks.beginReplay(endpoint, { after: 0, until: 1 }, signal)],
];

/** Stores a change that a partner makes of an endpoint as it is. */
async function saveWith(endpoint: Endpoint, changes: Partial<EndpointChange>): Promise<void> {
  const { revision } = endpoint;
  const outcome = await world.stores.webhooks.saveEndpoint(
    endpoint,
    revision,
    { ...endpoint, ...unchanged, ...changes },
    signal,
  );
  expect(outcome).toBe("saved");
}

describe.each(wakers)("%s", (_, wake) => {
  test.each([
    ["asked for time", 0],
    ["takes nothing", 5],
  ])("ends the rest of an endpoint that %s", async (_, failures) => {
    const endpoint = await newEndpoint();
    const { id, partnerId } = endpoint;
    const resourceId = await world.addSession(partnerId);
    await world.sequence();
    const restUntil = new Date(Date.now() + 3_600_000);
    await save(await claim(id), { failures, restUntil, isOver: true });
    const isDue = async () => {
      const sql = "SELECT rest_until IS NULL AND due_at <= NOW(3) AS is_due FROM webhook_endpoints WHERE id = ?";
      return (await world.connection.query<RowDataPacket[]>(sql, [uuidToBytes(id)]))[0][0]?.is_due;
    };
    expect(await isDue()).toBe(0);
    await wake(endpoint, [{ resourceId, type: "session.created", occurrence: 1 }]);
    expect(await isDue()).toBe(1);
  });
});

test("an endpoint keeps its place in the log through changes; it only ever leaves out what is ahead of it", async () => {
  const { id, partnerId } = await newEndpoint();
  await save(await claim(id), { sequence: 7 });
  const found = async () => {
    const endpoint = await world.stores.webhooks.findEndpoint(partnerId, id, signal);
    if (endpoint === undefined) throw new Error("the endpoint is gone");
    return endpoint;
  };
  for (const [skipTo, sequence] of [
    [undefined, 7],
    [5, 7],
    [9, 9],
    [undefined, 9],
  ] as const) {
    await saveWith(await found(), { skipTo });
    expect((await found()).sequence).toBe(sequence);
  }
});

test.each([
  ["as far as the log rests until something comes", { sequence: 2 }, null],
  ["less far is due at once", { sequence: 1 }, 0],
  ["less far, and that has had its time, is due when all processes look", { sequence: 1, isOutOfTime: true }, 500],
  ["as far as the log, with a replay, is due at once", { sequence: 2, replay: { after: 0, until: 1 } }, 0],
])("an endpoint that has come %s", async (_, changes, dueAfterMs) => {
  const { id, partnerId } = await newEndpoint();
  for (let events = 0; events < 2; events += 1) await world.addSession(partnerId);
  await world.sequence();
  const endpoint = await claim(id);
  const now = async (): Promise<number> => {
    const [[row]] = await world.connection.query<RowDataPacket[]>("SELECT NOW(3) AS at");
    return row?.at.getTime();
  };
  const from = await now();
  const report = { isOver: true, isOutOfTime: false, replay: null, restUntil: null, ...changes };
  await save(endpoint, report);
  const sql = "SELECT due_at FROM webhook_endpoints WHERE id = ?";
  const [[row]] = await world.connection.query<RowDataPacket[]>(sql, [uuidToBytes(id)]);
  const dueAt: number | null = row?.due_at?.getTime() ?? null;
  if (dueAfterMs === null || dueAt === null) return expect(dueAt).toBe(dueAfterMs);
  expect(dueAt).toBeGreaterThanOrEqual(from + dueAfterMs);
  expect(dueAt).toBeLessThanOrEqual((await now()) + dueAfterMs);
});

test.each([1, 31, 32, 33, 65])("what became of %i leases is saved together, of each its own", async (count) => {
  const partnerIds: string[] = [];
  for (let partner = 0; partner < count / 16; partner += 1) partnerIds.push(await world.addPartner());
  const added = await Promise.all(
    Array.from({ length: count }, (_, number) =>
      world.addEndpoint(partnerIds[Math.floor(number / 16)] ?? "", `http://127.0.0.1:9/hooks/${number}`),
    ),
  );
  const ids = added.map(({ endpoint }) => endpoint.id);
  const { endpoints } = await world.stores.deliveries.claimEndpoints(1_000, leaseMs, signal);
  const claimed = ids.map((id) => endpoints.find((each) => each.id === id));
  const reports = claimed.flatMap((endpoint, number) =>
    endpoint === undefined ? [] : [{ ...someReport(endpoint), endpoint, isOver: false, sequence: 100 + number }],
  );
  expect(await world.stores.deliveries.saveReports(reports, leaseMs, signal)).toMatchObject({ lost: new Set() });
  const sequences = await Promise.all(
    added.map(async ({ endpoint: { id, partnerId } }) => {
      return (await world.stores.webhooks.findEndpoint(partnerId, id, signal))?.sequence;
    }),
  );
  expect(sequences).toEqual(Array.from({ length: count }, (_, number) => 100 + number));
});

test.each([
  [1, [false, false, true]],
  [2, [false, true]],
  [3, [true]],
])("with room for %i a time, endpoints that are due are claimed until none is left", async (limit, ends) => {
  const own = await openDeliveryWorld();
  onTestFinished(() => own.close());
  const partnerId = await own.addPartner();
  for (const number of [1, 2]) await own.addEndpoint(partnerId, `http://127.0.0.1:9/hooks/${number}`);
  const claimed: boolean[] = [];
  while (!claimed.includes(true)) {
    claimed.push((await own.stores.deliveries.claimEndpoints(limit, leaseMs, signal)).isEnd);
  }
  expect(claimed).toEqual(ends);
});

describe("what operators are told of all endpoints", () => {
  /** On a schema of its own, since it is of all of them. */
  async function openWorld() {
    const own = await openDeliveryWorld();
    onTestFinished(() => own.close());
    const state = () => own.stores.deliveries.readDeliveryState(signal);
    return { ...own, state };
  }

  test("counts each by its state, however many there are", async () => {
    const { connection, state } = await openWorld();
    const [disabled, down, all] = [2, 3, 1_003];
    const rows = Array.from({ length: all }, (_, index) => [
      ...[uuidToBytes(someId()), uuidToBytes(someId()), "https://partner.example/", randomBytes(32), 1, 0, 0],
      ...[index < disabled ? "disabled" : "enabled", at(0), 0, index < disabled + down ? downAfter : downAfter - 1],
    ]);
    const columns = "id, partner_id, url, url_hash, types, include_external_id, revision";
    await connection.query(
      `INSERT INTO webhook_endpoints (${columns}, status, created_at, sequence, failures) VALUES ?`,
      [rows],
    );
    expect((await state()).endpoints).toEqual({ disabled, down, healthy: all - disabled - down });
  });

  test("tells the age of the oldest event that a healthy one has not come to, in seconds", async () => {
    const own = await openWorld();
    const partnerId = await own.addPartner();
    const { endpoint } = await own.addEndpoint(partnerId, "http://127.0.0.1:9/hooks");
    for (let count = 0; count < 2; count += 1) await own.addSession(partnerId);
    await own.sequence();
    const age = async () => Math.floor((await own.state()).behindSeconds / 600);
    const change = (assignments: string) =>
      own.connection.query(`UPDATE webhook_endpoints SET ${assignments} WHERE id = ?`, [uuidToBytes(endpoint.id)]);
    await own.connection.query("UPDATE events SET recorded_at = NOW(3) - INTERVAL 30 - 10 * sequence MINUTE");
    const found = [await age()];
    for (const changes of ["sequence = 1", "failures = 1", "failures = 0, status = 'disabled'"]) {
      await change(changes);
      found.push(await age());
    }
    expect(found).toEqual([2, 1, 0, 0]);
  });
});

test("a backlog is counted up to a limit, and nothing beyond that is read", async () => {
  const { id, partnerId } = await newEndpoint();
  const [waiting, most] = [300, 10];
  const events = Array.from({ length: waiting }, (_, index) => [
    ...[1_000_000 + index, uuidToBytes(partnerId), index + 1, codeOf("session.created")],
    ...[uuidToBytes(someId()), at(0), at(0)],
  ]);
  const columns = "position, partner_id, sequence, type, resource_id, occurred_at, recorded_at";
  await world.connection.query(`INSERT INTO events (${columns}) VALUES ?`, [events]);
  const parked = events.map(([, , sequence, , resourceId]) => [
    ...[uuidToBytes(partnerId), uuidToBytes(id), sequence],
    ...[resourceId, 1],
  ]);
  await world.connection.query(
    "INSERT INTO webhook_parked (partner_id, endpoint_id, sequence, resource_id, attempts) VALUES ?",
    [parked],
  );
  // What is read is counted for each connection.
  const db = openDatabase({ address: world.address, poolSize: 1, warn: () => undefined });
  onTestFinished(() => db.destroy());
  const readRows = () =>
    onConnection(db, signal, async (connection) => {
      const rows = (await executeText(connection, "SHOW SESSION STATUS LIKE 'Handler_read_%'", [])) as RowDataPacket[];
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
  await change("webhook_parked", "dead_at = IF(sequence <= 100, NOW(3), NULL)", id);
  expect(await webhooks.countBacklog(behindAll, 2 * waiting, signal)).toBe(waiting - 100);
});
