// What shows that the service runs on shards: where rows lie, the feed of all partners, usage of all, and jobs.
import { createConnection, type RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toShardAddress } from "../../src/database/shards.ts";
import { EventService } from "../../src/gen/assessment/v1/event_service_pb.ts";
import { PartnerService } from "../../src/gen/assessment/v1/partner_service_pb.ts";
import { SessionService } from "../../src/gen/assessment/v1/session_service_pb.ts";
import { addCaller, startTestApp, type TestApp } from "../support/app.ts";
import { bearer, GrpcClient } from "../support/transports/grpc-client.ts";
import { divided } from "./vtcombo.ts";

const { listAllEvents, listEvents } = EventService.method;
const { createSession } = SessionService.method;
const { getUsage } = PartnerService.method;
const product = "values-bridge";
const shards = divided.keyspaces.assess ?? [];
/** So many that one shard has none of them only by a chance of one in three hundred thousand. */
const partners = 48;

let app: TestApp;
let client: GrpcClient;
let reader: ReturnType<typeof bearer>;
/** Two of each partner, by its id. */
const sessions = new Map<string, string[]>();
const tokens = new Map<string, string>();

beforeAll(async () => {
  app = await startTestApp({ EVENT_INTERVAL_MS: "20" });
  client = new GrpcClient(app.grpcAddress);
  const internal = await app.addPartner({ internal: true });
  reader = bearer(await app.tokenOf(await app.addClient(internal, ["events:read-all", "admin"])));
  for (let n = 0; n < partners; n += 1) {
    const { partnerId, token } = await addCaller(app);
    tokens.set(partnerId, token);
    const create = async () => (await client.unary(createSession, { product }, bearer(token))).sessionId;
    sessions.set(partnerId, [await create(), await create()]);
  }
});
afterAll(async () => {
  client.close();
  await app.stop();
});

/** The single column of a query on one shard. */
async function onShard(shard: string, sql: string): Promise<string[]> {
  const address = toShardAddress(app.database.address, shard);
  const connection = await createConnection(address.url);
  const [rows] = await connection.query({ sql, rowsAsArray: true });
  await connection.end();
  return (Array.isArray(rows) ? rows : []).map((row) => String(Object.values(row)[0]));
}

/** What the feed of all partners has, read to its end by pages of this size. */
async function readAll(pageSize: number) {
  const eventIds: string[] = [];
  let after = "";
  for (let atEnd = false; !atEnd; ) {
    const page = await client.unary(listAllEvents, { after, pageSize }, reader);
    eventIds.push(...page.events.map(({ event }) => event?.id ?? ""));
    after = page.next;
    ({ atEnd } = page);
  }
  return { seen: eventIds, after };
}

test("all rows of a partner lie on one shard, and every shard has partners", async () => {
  for (const table of ["sessions", "event_heads"]) {
    const read = () =>
      Promise.all(shards.map((shard) => onShard(shard, `SELECT DISTINCT LOWER(HEX(partner_id)) FROM ${table}`)));
    await expect.poll(async () => (await read()).flat().length).toBe(partners);
    const idsByShard = await read();
    expect(new Set(idsByShard.flat()).size).toBe(partners);
    for (const ids of idsByShard) expect(ids.length).toBeGreaterThan(0);
  }
});

test("the feed of all partners has every event once, whatever the size of its pages, and a cursor of all shards", async () => {
  await expect.poll(async () => (await readAll(500)).seen.length).toBe(2 * partners);
  const { seen, after } = await readAll(500);
  expect(new Set(seen).size).toBe(2 * partners);
  expect(after).toMatch(/^-40:\d+,40-80:\d+,80-c0:\d+,c0-:\d+$/);
  const single = await readAll(1);
  expect(single).toEqual({ seen, after });
  const [[partnerId, [, last]] = ["", []]] = sessions;
  const own = await client.unary(listEvents, {}, bearer(tokens.get(partnerId) ?? ""));
  expect(own.events.map(({ sequence }) => Number(sequence))).toEqual([1, 2]);
  expect(own.events.at(-1)?.data?.sessionId).toBe(last);
});

test("a call that waits for events of all partners gets those of each shard", async () => {
  for (const token of [...tokens.values()].slice(0, 8)) {
    const { next } = await client.unary(listAllEvents, { after: "now" }, reader);
    const waiting = client.unary(listAllEvents, { after: next, waitSeconds: 20 }, reader);
    const { sessionId } = await client.unary(createSession, { product }, bearer(token));
    const { events } = await waiting;
    expect(events.map(({ event }) => event?.data?.sessionId)).toEqual([sessionId]);
  }
});

test("sessions on every shard expire by one job for all of them", async () => {
  const { connection } = app.database;
  await connection.query("UPDATE sessions SET expires_at = created_at, announce_at = created_at");
  const expired = () =>
    Promise.all(shards.map((shard) => onShard(shard, "SELECT COUNT(*) FROM events WHERE type = 64")));
  const counts = await Promise.all(shards.map((shard) => onShard(shard, "SELECT COUNT(*) FROM sessions")));
  await expect.poll(expired).toEqual(counts);
  const [rows] = await connection.query<RowDataPacket[]>("SELECT name FROM job_leases");
  expect(rows.map(({ name }) => String(name)).filter((name) => name.startsWith("due-sessions"))).toEqual([
    "due-sessions",
  ]);
});

test("usage of a partner comes from its shard", async () => {
  for (const [partnerId] of sessions) {
    const { days } = await client.unary(getUsage, { partnerId }, reader);
    // The first partners have one more, of the test above.
    expect([2, 3]).toContain(days[0]?.created);
  }
});
