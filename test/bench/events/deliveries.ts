// Webhooks to many endpoints, a part of which never answers, by three processes.
import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { RowDataPacket } from "mysql2/promise";
import { startPas } from "../../support/processes/command.ts";
import { type Bench, nodeOptionsOf } from "../bench.ts";
import { type BenchDatabase, createBenchDatabase } from "../servers/bench-database.ts";
import { Child } from "../servers/child.ts";
import { cpuSeconds } from "../servers/process-usage.ts";
import { storeEndpoints } from "./endpoints.ts";
import { hangingPath, type Received, type ReceiverOrder } from "./receiver.ts";

const processes = 3;
/** One endpoint of so many never answers. */
const hangingEvery = 20;
const full = { endpoints: 1_000, sessions: 5, waiting: 500_000 };
const quick = { endpoints: 40, sessions: 2, waiting: 1_000 };
/** Of deliveries that wait for a retry that is not made here, or for an earlier one of their session. */
const waitingAttempts = 5;
const rowsAtOnce = 10_000;
const pollMs = 20;
const idlePollMs = 200;
/** Longer than the service keeps a connection that is not used. */
const idleMs = 7_000;

export interface Deliveries {
  readonly endpoints: number;
  /** Deliveries that wait all the while, for tomorrow or for one that does. */
  readonly waiting: number;
  /** To endpoints that answer, each once, in a turn. */
  readonly events: number;
  readonly turns: readonly Turn[];
}

interface Turn {
  readonly rate: number;
  /** CPU µs of the delivering processes for each event that came to an endpoint which answers. */
  readonly cpu: number;
  readonly repeated: number;
  readonly disordered: number;
}

/** Everything to everybody, turn by turn, by processes that stay: the first turns warm up and are not counted. */
export async function measureDeliveries({ options, server }: Bench): Promise<Deliveries> {
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  const receiver = new Child<ReceiverOrder, Received>("test/bench/events/receiver.ts");
  started.defer(() => receiver.stop());
  const { port } = await receiver.ask("listen");
  const { endpoints, sessions, waiting } = options.isQuick ? quick : full;
  const key = randomBytes(32);
  const isHanging = (index: number) => index % hangingEvery === 0;
  // An address for each, as partners have: connections are kept by host.
  const hostOf = (index: number) => `127.1.${index >> 8}.${index & 255}`;
  const urlOf = (index: number) => `http://${hostOf(index)}:${port}${isHanging(index) ? hangingPath : "/"}${index}`;
  await storeEndpoints(database, { count: endpoints, sessions, key, urlOf });
  await storeWaiting(database, waiting);
  const pids = await Promise.all(
    Array.from({ length: processes }, async (_, index) => {
      const nodeOptions = nodeOptionsOf(options, `deliver-${index}`);
      const deliverer = await startDeliverer(database, key, nodeOptions);
      started.defer(() => deliverer.stop());
      return deliverer.pid;
    }),
  );
  const cpu = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const events =
    4 * sessions * Array.from({ length: endpoints }, (_, index) => index).filter((index) => !isHanging(index)).length;
  const turns: Turn[] = [];
  for (let round = -options.warmUps; round < options.rounds; round += 1) {
    await untilIdle(database);
    await receiver.ask("forget");
    const turn = await measureTurn({ database, receiver, events, cpu });
    if (round >= 0) turns.push(turn);
  }
  return { endpoints, waiting, events, turns };
}

/** Stores deliveries of all endpoints alike, half of them to be tried tomorrow, the others behind those. */
async function storeWaiting({ connection }: BenchDatabase, count: number): Promise<void> {
  const [endpoints] = await connection.query<RowDataPacket[]>("SELECT id, partner_id FROM webhook_endpoints");
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);
  for (let stored = 0; stored < count; stored += rowsAtOnce) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, count - stored) }, (_, index) => {
      const number = stored + index;
      const endpoint = endpoints[number % endpoints.length];
      return [
        endpoint?.partner_id,
        endpoint?.id,
        1_000_000 + number,
        randomBytes(16),
        1,
        waitingAttempts,
        number % 2 ? tomorrow : null,
      ];
    });
    const columns = "partner_id, endpoint_id, sequence, resource_id, type, attempts, next_at";
    await connection.query(`INSERT INTO webhook_deliveries (${columns}) VALUES ?`, [rows]);
  }
}

interface TurnToMeasure {
  readonly database: BenchDatabase;
  readonly receiver: Child<ReceiverOrder, Received>;
  readonly events: number;
  readonly cpu: () => number;
}

/** From the moment when every endpoint becomes due until the last event has come to all that answer. */
async function measureTurn({ database, receiver, events, cpu }: TurnToMeasure): Promise<Turn> {
  const cpuBefore = cpu();
  const from = Date.now();
  await database.connection.query(
    `UPDATE webhook_endpoints SET sequence = 0, claimed_sequence = 0, failures = 0, failing_since = NULL, rest_until = NULL,
      answering = 0, due_at = NOW(3)`,
  );
  let received = await receiver.ask("count");
  while (received.events < events) {
    await pause(pollMs);
    received = await receiver.ask("count");
  }
  const { repeated, disordered, lastAt } = received;
  return {
    rate: (1000 * events) / (lastAt - from),
    cpu: ((cpu() - cpuBefore) * 1e6) / events,
    repeated,
    disordered,
  };
}

/** Until no process sends anything or has anything to do, and every connection was idle for long enough to be closed. */
async function untilIdle({ connection }: BenchDatabase): Promise<void> {
  const finish = `UPDATE webhook_endpoints AS w JOIN event_heads AS h ON h.partner_id = w.partner_id
    SET w.sequence = h.sequence, w.claimed_sequence = h.sequence, w.due_at = NULL`;
  const claimed = "SELECT COUNT(*) AS claimed FROM webhook_deliveries WHERE claim_id IS NOT NULL";
  for (let idleSince = Number.POSITIVE_INFINITY; performance.now() - idleSince < idleMs; await pause(idlePollMs)) {
    await connection.query("DELETE FROM webhook_deliveries WHERE claim_id IS NULL AND attempts < ?", [waitingAttempts]);
    await connection.query(finish);
    const [[row]] = await connection.query<RowDataPacket[]>(claimed);
    idleSince = row?.claimed === 0 ? Math.min(idleSince, performance.now()) : Number.POSITIVE_INFINITY;
  }
  await connection.query("DELETE FROM webhook_attempts");
}

async function startDeliverer({ url }: BenchDatabase, key: Uint8Array, nodeOptions: readonly string[]) {
  const running = startPas(["serve", "--role", "deliver"], {
    DATABASE_URL: url,
    HTTP_PORT: "0",
    WEBHOOK_KEY: Buffer.from(key).toString("base64"),
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
    LOG_LEVEL: "info",
    NODE_OPTIONS: nodeOptions.join(" "),
  });
  await running.wrote(/"http":"http:/);
  return {
    pid: running.pid,
    async stop() {
      running.kill("SIGTERM");
      await running.ended;
    },
  };
}
