// Webhooks: what a process that delivers can do beside endpoints that never answer, while many deliveries wait.

import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { RowDataPacket } from "mysql2/promise";
import { v7 as newId } from "uuid";
import { Database } from "../../../src/database/database.ts";
import { eventTypes } from "../../../src/domain/events/event-types.ts";
import { SecretSealer } from "../../../src/domain/webhooks/sealed-secrets.ts";
import { createStores } from "../../../src/store/stores.ts";
import { signal } from "../../support/deadline.ts";
import { startPas } from "../../support/processes/command.ts";
import { type Bench, nodeOptionsOf, type SectionResult } from "../bench.ts";
import { type Received, type ReceiverOrder, silentPath } from "../load/receiver.ts";
import { median } from "../report/statistics.ts";
import { figure } from "../report/table.ts";
import { type BenchDatabase, createBenchDatabase } from "../servers/bench-database.ts";
import { Child } from "../servers/child.ts";
import { cpuSeconds } from "../servers/process-usage.ts";
import { eventsOfSession, publishEvents, storeSessions } from "../servers/stored-sessions.ts";

const full = { endpoints: 400, sessions: 5, waiting: 500_000 };
const quick = { endpoints: 40, sessions: 2, waiting: 1_000 };
const endpointsOfPartner = 4;
/** One endpoint of so many never answers. */
const silentEvery = 20;
/** Marks deliveries that wait: those that are made here have fewer. */
const waitingAttempts = 5;
const rowsAtOnce = 10_000;
const pollMs = 20;
const maxTurnMs = 300_000;
/** Longer than the process keeps a connection that is not used. */
const idleMs = 2_000;

/** Everything to everybody, turn by turn, by a process that stays: the first turns warm up and are not counted. */
export async function measureDeliveries({ options, server, say }: Bench): Promise<SectionResult> {
  await using servers = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  servers.defer(() => database.drop());
  const receiver = new Child<ReceiverOrder, Received>("test/bench/load/receiver.ts");
  servers.defer(() => receiver.stop());
  const { port } = await receiver.ask("listen");
  const { endpoints, sessions, waiting } = options.isQuick ? quick : full;
  const key = randomBytes(32);
  const isSilent = (index: number) => index % silentEvery === 0;
  // An address for each, as partners have: connections are kept by host.
  const urlOf = (index: number) =>
    `http://127.1.${index >> 8}.${index & 255}:${port}${isSilent(index) ? silentPath : "/"}${index}`;
  say(`  storing ${endpoints} endpoints, and ${waiting.toLocaleString("en")} deliveries that wait`);
  await storeEndpoints(database, { count: endpoints, sessions, key, urlOf });
  await storeWaiting(database, waiting);
  const deliverer = startPas(["serve", "--role", "deliver"], {
    DATABASE_URL: database.url,
    HTTP_PORT: "0",
    WEBHOOK_KEY: key.toString("base64"),
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    NODE_OPTIONS: nodeOptionsOf(options, "deliver").join(" "),
  });
  servers.defer(async () => {
    deliverer.kill("SIGTERM");
    await deliverer.ended;
  });
  await deliverer.wrote(/"http":"http:/);
  const answering = Array.from({ length: endpoints }, (_, index) => index).filter((index) => !isSilent(index)).length;
  const events = eventsOfSession * sessions * answering;
  const turns = [];
  for (let round = -options.warmUps; round < options.rounds; round += 1) {
    await untilIdle(database);
    await receiver.ask("forget");
    const turn = await measureTurn(database, receiver, events, deliverer.pid);
    if (round >= 0) turns.push(turn);
  }
  const rate = median(turns.map((turn) => turn.rate));
  const cpu = median(turns.map((turn) => turn.cpu));
  const disordered = Math.max(...turns.map((turn) => turn.disordered));
  const repeated = Math.max(...turns.map((turn) => turn.repeated));
  return {
    tables: [
      {
        title: `Webhooks to ${endpoints} endpoints, one in ${silentEvery} is silent, ${waiting.toLocaleString("en")} deliveries wait`,
        head: ["events", "a second", "CPU µs", "twice", "out of order"],
        rows: [[String(events), figure(rate), figure(cpu), String(repeated), String(disordered)]],
      },
    ],
    figures: { "deliveries.rate": rate, "deliveries.µs": cpu, "deliveries.disordered": disordered },
    rounds: turns,
  };
}

interface EndpointsToStore {
  readonly count: number;
  /** Sessions of each partner, with their events in the log. */
  readonly sessions: number;
  readonly key: Uint8Array;
  readonly urlOf: (index: number) => string;
}

async function storeEndpoints(database: BenchDatabase, about: EndpointsToStore): Promise<void> {
  const { count, sessions, key, urlOf } = about;
  await using servers = new AsyncDisposableStack();
  const db = new Database({ address: database.address, poolSize: 4, warn: () => undefined });
  servers.defer(() => db.destroy());
  const { webhooks, identities } = createStores(db);
  const sealer = new SecretSealer([key], randomBytes);
  const createdAt = new Date();
  const partnerIds = Array.from({ length: Math.ceil(count / endpointsOfPartner) }, () => newId());
  for (const [index, id] of partnerIds.entries()) {
    await identities.insertPartner({ id, name: `Partner ${index}`, internal: false, createdAt }, signal);
    await storeSessions({ ...database, partnerId: id }, sessions);
  }
  await publishEvents(database, eventsOfSession * sessions * partnerIds.length);
  for (let index = 0; index < count; index += 1) {
    const [id, partnerId = ""] = [newId(), partnerIds[index % partnerIds.length]];
    const place = { id: newId(), endpointId: id };
    const secret = { ...place, ...sealer.seal(randomBytes(32), place), createdAt };
    const settings = {
      url: urlOf(index),
      description: "",
      types: eventTypes,
      includeExternalId: false,
      includeNames: false,
    };
    // At the end of its log, until a turn begins.
    const endpoint = { id, partnerId, createdAt, ...settings, sequence: eventsOfSession * sessions };
    await webhooks.insertEndpoint(endpoint, secret, endpointsOfPartner, signal);
  }
}

/** Stores deliveries of all endpoints alike, half of them to be tried tomorrow, the others behind those. */
async function storeWaiting({ connection }: BenchDatabase, count: number): Promise<void> {
  const [endpoints] = await connection.query<RowDataPacket[]>("SELECT id, partner_id FROM webhook_endpoints");
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);
  const columns = "partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at";
  for (let start = 0; start < count; start += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, count - start) }, (_, index) => {
      const number = start + index;
      const endpoint = endpoints[number % endpoints.length];
      const about = [1_000_000 + number, randomBytes(16), 1, waitingAttempts, number % 2 ? tomorrow : null];
      return [endpoint?.partner_id, endpoint?.id, ...about];
    });
    await connection.query(`INSERT INTO webhook_deliveries (${columns}) VALUES ?`, [rows]);
  }
}

/** From the moment when every endpoint becomes due until the last event has come to all that answer. */
async function measureTurn(
  { connection }: BenchDatabase,
  receiver: Child<ReceiverOrder, Received>,
  events: number,
  pid: number,
) {
  const cpuBefore = cpuSeconds(pid);
  const from = Date.now();
  await connection.query(
    `UPDATE webhook_endpoints SET sequence = 0, failures = 0, failing_since = NULL,
      paused_until = NULL, last_answered = 'unknown', due_at = NOW(3)`,
  );
  let counts = await receiver.ask("count");
  while (counts.events < events) {
    if (Date.now() - from > maxTurnMs) throw new Error(`${counts.events} of ${events} events came`);
    await pause(pollMs);
    counts = await receiver.ask("count");
  }
  const { repeated, disordered, lastAt } = counts;
  const cpu = ((cpuSeconds(pid) - cpuBefore) * 1e6) / events;
  return { rate: (1_000 * events) / (lastAt - from), cpu, repeated, disordered };
}

/** Until the process sends nothing and has nothing to do, and every connection was idle for long enough to be closed. */
async function untilIdle({ connection }: BenchDatabase): Promise<void> {
  const finish = `UPDATE webhook_endpoints AS w JOIN event_heads AS h ON h.partner_id = w.partner_id
    SET w.sequence = h.sequence, w.due_at = NULL`;
  const claimCount = "SELECT COUNT(*) AS claimed FROM webhook_endpoints WHERE claim_id IS NOT NULL";
  for (let idleSince = Number.POSITIVE_INFINITY; performance.now() - idleSince < idleMs; await pause(10 * pollMs)) {
    await connection.query("DELETE FROM webhook_deliveries WHERE attempts < ?", [waitingAttempts]);
    await connection.query(finish);
    const [[row]] = await connection.query<RowDataPacket[]>(claimCount);
    idleSince = row?.claimed === 0 ? Math.min(idleSince, performance.now()) : Number.POSITIVE_INFINITY;
  }
  await connection.query("DELETE FROM webhook_attempts");
}
