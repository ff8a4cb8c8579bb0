// Each operation alone, over REST and gRPC in turns.
import { type Bench, inTurns, nodeOptionsOf, type SectionResult } from "../bench.ts";
import { type LoadReport, operationNames } from "../load/orders.ts";
import { median } from "../report/statistics.ts";
import { figure } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { startService } from "../servers/service.ts";
import { runOperation, storeStanding } from "./operation-turns.ts";

const standingSessions = 2_000;
const transports = ["rest", "grpc"] as const;

/** Measures requests a second and latencies of every operation. */
export async function measureOperations(bench: Bench): Promise<SectionResult> {
  const { options, server } = bench;
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  const service = await startService(database, nodeOptionsOf(options, "operations"));
  started.defer(() => service.stop());
  const standing = await storeStanding(database, standingSessions);

  const rounds: Record<string, LoadReport[]> = {};
  for (const operation of operationNames) {
    bench.say(`  ${operation}`);
    const run = (transport: (typeof transports)[number]) => () =>
      runOperation(bench, {
        database,
        target: service.target(transport),
        operation,
        standing,
        clients: options.clients,
        isChecked: true,
      });
    const reports = await inTurns({ rest: run("rest"), grpc: run("grpc") }, options);
    for (const transport of transports) rounds[`${operation} ${transport}`] = reports[transport];
  }
  const rows = Object.entries(rounds).map(([name, reports]) => ({ name, ...medians(reports) }));
  return {
    tables: [
      {
        title: `Each operation alone, ${options.clients} clients`,
        head: ["", "a second", "p50 ms", "p99 ms"],
        rows: rows.map(({ name, rate, p50Ms, p99Ms }) => [name, figure(rate), figure(p50Ms), figure(p99Ms)]),
      },
    ],
    figures: Object.fromEntries(rows.map(({ name, rate }) => [`operations.${name.replace(" ", ".")}.rate`, rate])),
    rounds,
  };
}

function medians(reports: readonly LoadReport[]) {
  return {
    rate: median(reports.map(({ completed, seconds }) => completed / seconds)),
    p50Ms: median(reports.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(reports.map(({ p99Ms }) => p99Ms)),
  };
}
