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
const full = { endpoints: 1_000, sessions: 5 };
const quick = { endpoints: 40, sessions: 2 };
const pollMs = 20;
const idlePollMs = 200;
/** Longer than the service keeps a connection that is not used. */
const idleMs = 7_000;

export interface Deliveries {
  readonly endpoints: number;
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
  const { endpoints, sessions } = options.isQuick ? quick : full;
  const key = randomBytes(32);
  const isHanging = (index: number) => index % hangingEvery === 0;
  // An address for each, as partners have: connections are kept by host.
  const hostOf = (index: number) => `127.1.${index >> 8}.${index & 255}`;
  const urlOf = (index: number) => `http://${hostOf(index)}:${port}${isHanging(index) ? hangingPath : "/"}${index}`;
  await storeEndpoints(database, { count: endpoints, sessions, key, urlOf });
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
  return { endpoints, events, turns };
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
    `UPDATE webhook_endpoints SET sequence = 0, failures = 0, failing_since = NULL, rest_until = NULL, due_at = NOW(3)`,
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

/** Until no process has an endpoint or anything to do, and every connection was idle for long enough to be closed. */
async function untilIdle({ connection }: BenchDatabase): Promise<void> {
  const finish = `UPDATE webhook_endpoints AS w JOIN event_heads AS h ON h.partner_id = w.partner_id
    SET w.sequence = h.sequence, w.due_at = NULL WHERE w.lease_id IS NULL`;
  const leased = "SELECT COUNT(*) AS leased FROM webhook_endpoints WHERE lease_id IS NOT NULL";
  for (let idleSince = Number.POSITIVE_INFINITY; performance.now() - idleSince < idleMs; await pause(idlePollMs)) {
    await connection.query("DELETE FROM webhook_parked");
    await connection.query(finish);
    const [[row]] = await connection.query<RowDataPacket[]>(leased);
    idleSince = row?.leased === 0 ? Math.min(idleSince, performance.now()) : Number.POSITIVE_INFINITY;
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
