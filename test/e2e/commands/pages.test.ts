// Commands that list print all there is, however many pages it takes to read.
import { afterAll, beforeAll, expect, test } from "vitest";
import { uuidToBytes } from "../../../src/database/rows.ts";
import { codeOf } from "../../../src/kernel/event-types.ts";
import { at, someChain, someClient, someGroup, someId, someSecret } from "../../support/builders.ts";
import { onDatabase, printedBy } from "../../support/processes/command.ts";
import { runPas } from "../../support/processes/program.ts";
import { type DeliveryWorld, openDeliveryWorld, webhookKey } from "../../support/webhooks/delivering.ts";

const { signal } = new AbortController();

let world: DeliveryWorld;
let assessmentId: number;
beforeAll(async () => {
  world = await openDeliveryWorld();
  assessmentId = (await world.stores.assessments.findGreatestAssessmentId(signal)) ?? 0;
});
afterAll(() => world.close());

/** Of each list: the entries of a page, and what stores so many entries of a partner. */
const lists: readonly [string, number, (partnerId: string, count: number) => Promise<unknown>][] = [
  ["client list", 1_000, (partnerId, count) => each(count, () => addClient(partnerId))],
  ["events list", 500, addEvents],
  ["groups list", 100, (partnerId, count) => each(count, () => addGroup(partnerId))],
  ["sessions list", 200, (partnerId, count) => each(count, () => world.addSession(partnerId))],
  ["audit export", 500, (partnerId, count) => world.stores.audit.append(someChain(count, { partnerId }), signal)],
];

function each(count: number, add: () => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, add));
}

function addClient(partnerId: string): Promise<void> {
  const client = someClient({ partnerId });
  return world.stores.identities.insertClient(client, someSecret(client.id), signal);
}

function addGroup(partnerId: string): Promise<unknown> {
  return world.stores.groups.insertGroup(someGroup({ partnerId, assessmentId }), 1_000, signal);
}

function addEvents(partnerId: string, count: number): Promise<unknown> {
  const rows = Array.from({ length: count }, (_, index) => {
    const [partner, resource] = [partnerId, someId()].map(uuidToBytes);
    return [index + 1, partner, index + 1, codeOf("session.erased"), resource, assessmentId, at(0), at(0)];
  });
  const columns = "position, partner_id, sequence, type, resource_id, assessment_id, occurred_at, recorded_at";
  return world.connection.query(`INSERT INTO events (${columns}) VALUES ?`, [rows]);
}

async function countOf(words: string): Promise<number> {
  const keys = { WEBHOOK_KEY: webhookKey.toString("base64") };
  const finished = await runPas(words.split(" "), { ...onDatabase(world), ...keys });
  expect(finished).toMatchObject({ code: 0, stderr: "" });
  const printed = printedBy(finished);
  return printed.length === 1 && Array.isArray(printed[0]) ? printed[0].length : printed.length;
}

test.each(lists)("%s goes on behind %i entries", async (words, size, add) => {
  const partnerId = await world.addPartner();
  await add(partnerId, size + 1);
  expect(await countOf(`${words} --partner ${partnerId}`)).toBe(size + 1);
});

/** Of each list of what became of deliveries: the columns of its table, and a row of it. */
const deliveries: readonly [string, string, string, (sequence: number) => unknown[]][] = [
  [
    "attempts",
    "webhook_attempts",
    "id, attempt, at, status, took_ms, expires_at",
    (id) => [id, 1, at(0), 500, 1, at(1)],
  ],
  ["parked", "webhook_deliveries", "resource_id, type, attempts", () => [uuidToBytes(someId()), 1, 1]],
];

test.each(deliveries)("webhooks %s goes on behind 100 entries", async (words, table, columns, rowOf) => {
  const partnerId = await world.addPartner();
  const { endpoint } = await world.addEndpoint(partnerId, "http://127.0.0.1:9/hooks");
  const name = [partnerId, endpoint.id].map(uuidToBytes);
  const rows = Array.from({ length: 101 }, (_, index) => [...name, index + 1, ...rowOf(index + 1)]);
  await world.connection.query(`INSERT INTO ${table} (partner_id, endpoint_id, sequence, ${columns}) VALUES ?`, [rows]);
  expect(await countOf(`webhooks ${words} --partner ${partnerId} ${endpoint.id}`)).toBe(101);
});

test("partner list goes on behind 1000 entries, and so do the endpoints of all partners", async () => {
  await each(1_001, () => world.addPartner());
  expect(await countOf("partner list")).toBeGreaterThan(1_000);
  await world.addEndpoint(await world.addPartner(), "http://127.0.0.1:9/last");
  const { stdout } = await runPas(["webhooks", "list"], onDatabase(world));
  expect(stdout).toContain("http://127.0.0.1:9/last");
});
