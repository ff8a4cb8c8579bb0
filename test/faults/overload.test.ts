// More load than the service can carry: what it takes on it serves as ever, the rest it refuses at once, and one
// client's flood is its own trouble. Timings are printed; correctness and bounded memory are judged.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { builtInProduct, readBuiltInDefinition } from "../../src/products/values-bridge/definition/built-in.ts";
import type { TransportName } from "../bench/load/orders.ts";
import { median } from "../bench/report/statistics.ts";
import { sampleOf } from "../bench/servers/bench-database.ts";
import { Child } from "../bench/servers/child.ts";
import { cpuSeconds } from "../bench/servers/process-usage.ts";
import { bodyOf } from "../e2e/cases/case.ts";
import { fetchToken } from "../support/app.ts";
import { restTransport } from "../support/transports/rest-transport.ts";
import { opened } from "../support/values-bridge/opened.ts";
import type { LoadOrder, Stream, StreamReport } from "./load/orders.ts";
import type { BreakableDatabase } from "./support/database/database.ts";
import { startMariadb } from "./support/database/mariadb.ts";
import { startMysql } from "./support/database/mysql.ts";
import { means } from "./support/run/means.ts";
import { report } from "./support/run/report.ts";
import { isShort, rounds } from "./support/run/rounds.ts";
import { addClient, openStage } from "./support/stage.ts";
import { pin } from "./support/system.ts";

const seconds = rounds(6, 1);
/** How often capacity, 80 % of it and five times of it take turns: a ratio is the median of those within a turn. */
const turns = rounds(3, 1);
const closedConnections = 32;
const overload = 5;
const usualShare = 0.8;
/** Of the capacity: what the client sends that keeps within bounds. */
const modestShare = 0.05;
/** More than what calls under way on 300 connections take, and far less than a queue without a limit would. */
const allowedGrowthMb = 200;

/** The service refuses before it asks a database: the short form shows it on one. */
const databases = [
  { name: "MariaDB", start: () => startMariadb() },
  ...(isShort || means("FAULTS_MYSQL_ROOT") === "" ? [] : [{ name: "MySQL 9.7", start: startMysql }]),
];

describe.each(databases)("on $name", ({ start }) => {
  let database: BreakableDatabase;
  beforeAll(async () => {
    database = await start();
  });
  afterAll(() => database.remove());

  test.each(["rest", "grpc"] as const)("five times the capacity over %s costs no more than refusals", (transport) =>
    proveOverload(transport, database),
  );
});

async function proveOverload(transport: TransportName, database: BreakableDatabase): Promise<void> {
  const { service, loadPid, flood, modest, run } = await openLoad(transport, database);
  await run([flood(undefined, closedConnections)]);
  const all: StreamReport[] = [];
  const figures: Figures[] = [];
  let growth = 0;
  for (let turn = 0; turn < turns; turn += 1) {
    const idleCpu = cpuSeconds(service.pid);
    const [closed] = await run([flood(undefined, closedConnections)]);
    const acceptedCpu = (cpuSeconds(service.pid) - idleCpu) / closed.accepted;
    const capacity = closed.acceptedPerSecond;
    const [usual] = await run([flood(usualShare * capacity, 64)]);
    const before = service.residentMb();
    const [cpuBefore, loadBefore] = [cpuSeconds(service.pid), cpuSeconds(loadPid)];
    const [over] = await run([flood(overload * capacity, 256)]);
    const refusedCpu = (cpuSeconds(service.pid) - cpuBefore - over.accepted * acceptedCpu) / over.refused;
    const loadShare = (cpuSeconds(loadPid) - loadBefore) / seconds;
    growth = Math.max(growth, service.residentMb() - before);
    all.push(closed, usual, over);
    figures.push({ capacity, usual, over, acceptedCpu, refusedCpu, loadShare });
    expect(over.refused).toBeGreaterThan(0);
    expect(over.accepted).toBeGreaterThan(0);
  }
  const of = (figure: (each: Figures) => number) => median(figures.map(figure));
  const capacity = of((each) => each.capacity);
  const [alone] = await run([modest(modestShare * capacity)]);
  const [, besideUsual] = await run([flood(usualShare * capacity, 64), modest(modestShare * capacity)]);
  const [, besideFlood] = await run([flood(overload * capacity, 256), modest(modestShare * capacity)]);
  report(`overload over ${transport}`, {
    "capacity a second": Math.round(capacity),
    "p99 ms at 80 %": of(({ usual }) => usual.acceptedP99Ms),
    [`accepted p99 ms at ${overload} times the capacity`]: of(({ over }) => over.acceptedP99Ms),
    "times that of 80 %": of(({ over, usual }) => over.acceptedP99Ms / usual.acceptedP99Ms),
    "accepted share of the capacity": of(({ over, capacity: own }) => over.acceptedPerSecond / own),
    "the same of each turn": figures.map(({ over, capacity: own }) => over.acceptedPerSecond / own),
    "refused in ms, p50 and p99": [of(({ over }) => over.refusedP50Ms), of(({ over }) => over.refusedP99Ms)],
    "sent share of five times the capacity": of(({ over }) => over.sent / (over.sent + over.skipped)),
    "CPU µs for an accepted request and for a refusal": [
      of((each) => each.acceptedCpu * 1e6),
      of((each) => each.refusedCpu * 1e6),
    ],
    "the load's share of its processor": of((each) => each.loadShare),
    "growth MB": growth,
  });
  report(`one client beside another's flood over ${transport}`, {
    "p50 ms alone, beside 80 %, beside the flood": [
      alone.acceptedP50Ms,
      besideUsual.acceptedP50Ms,
      besideFlood.acceptedP50Ms,
    ],
    "p99 ms": [alone.acceptedP99Ms, besideUsual.acceptedP99Ms, besideFlood.acceptedP99Ms],
    refused: [alone.refused, besideUsual.refused, besideFlood.refused],
  });
  for (const { others } of [...all, alone, besideUsual, besideFlood]) expect(others).toEqual({});
  // The gRPC load cannot tell codes apart, but only refusals are answered so.
  expect(besideFlood.refused).toBe(0);
  expect(growth).toBeLessThan(allowedGrowthMb);
  expect(await service.end("SIGTERM")).toBe(0);
}

/** What one turn has told. */
interface Figures {
  /** Requests a second. */
  readonly capacity: number;
  readonly usual: StreamReport;
  readonly over: StreamReport;
  /** Seconds of processor time. */
  readonly acceptedCpu: number;
  readonly refusedCpu: number;
  /** Of its own processor: what is below 1 was no bound. */
  readonly loadShare: number;
}

/** A service, and two clients' load on it. */
async function openLoad(transport: TransportName, database: BreakableDatabase) {
  const stage = await openStage(database);
  const { service, token } = stage;
  const other = await fetchToken(service.httpUrl, await addClient(database));
  const assessment = { id: 1, product: builtInProduct, version: 1, publishedAt: new Date() };
  const sample = sampleOf(opened({ ...assessment, definition: JSON.parse(await readBuiltInDefinition()) }));
  const port = Number(new URL(transport === "rest" ? service.httpUrl : `http://${service.grpcAddress}`).port);
  const load = new Child<LoadOrder, StreamReport[]>("test/faults/load/process.ts");
  onTestFinished(() => load.stop());
  // What makes the load must not take time from what it measures: service and database share the other processor.
  pin(load.pid, 1);
  for (const pid of [service.pid, ...database.pids()]) pin(pid, 0);
  const subjects = await createSessions(service.httpUrl, token, 400);
  const otherSubjects = await createSessions(service.httpUrl, other, 100);
  const stream = { target: { transport, port, sample }, operation: "record" } as const;
  const flood = (perSecond: number | undefined, connections: number): Stream => ({
    ...stream,
    target: { ...stream.target, token },
    subjects,
    perSecond,
    connections,
  });
  const modest = (perSecond: number): Stream => ({
    ...stream,
    target: { ...stream.target, token: other },
    subjects: otherSubjects,
    perSecond,
    connections: 16,
  });
  const run = async <const S extends readonly Stream[]>(streams: S) =>
    (await load.ask({ streams, seconds })) as unknown as { readonly [K in keyof S]: StreamReport };
  return { service, loadPid: load.pid, flood, modest, run };
}

async function createSessions(httpUrl: string, token: string, count: number): Promise<string[]> {
  const transport = restTransport(httpUrl);
  const create = async () => bodyOf(await transport.createSession({ token }, {})).sessionId;
  const ids: string[] = [];
  while (ids.length < count) ids.push(...(await Promise.all(Array.from({ length: 5 }, create))));
  return ids;
}
