// What the audit log costs: the same reads and whole assessments of a service that records them, and of one that does
// not.
import { type Bench, inTurns, nodeOptionsOf, type SectionResult } from "../bench.ts";
import type { LoadReport } from "../load/orders.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, ratio } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { type Service, startService } from "../servers/service.ts";
import { runOperation, storeStanding } from "./operation-turns.ts";

const standingSessions = 2_000;
const unaudited = new URL("../references/unaudited.ts", import.meta.url).href;

/** Measures reads of results over both transports, and whole assessments, with the audit log and without. */
export async function measureAudit(bench: Bench): Promise<SectionResult> {
  const { options, server, load } = bench;
  const { clients, seconds } = options;
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  const on = await startService(database, nodeOptionsOf(options, "audit"));
  started.defer(() => on.stop());
  const off = await startService(database, [`--import=${unaudited}`]);
  started.defer(() => off.stop());
  const standing = await storeStanding(database, standingSessions);
  const results = (service: Service, transport: "rest" | "grpc") => () =>
    runOperation(bench, {
      database,
      target: service.target(transport),
      operation: "results",
      standing,
      clients,
      isChecked: true,
    });
  const whole = (service: Service) => () =>
    load.ask({ kind: "whole", target: service.target("rest"), clients, seconds });

  const rounds: Record<string, Record<"on" | "off", LoadReport[]>> = {
    "results rest": await inTurns({ on: results(on, "rest"), off: results(off, "rest") }, options),
    "results grpc": await inTurns({ on: results(on, "grpc"), off: results(off, "grpc") }, options),
    "whole rest": await inTurns({ on: whole(on), off: whole(off) }, options),
  };
  const rows = Object.entries(rounds).map(([name, turns]) => {
    const [with_, without] = [turns.on.map(rateOf), turns.off.map(rateOf)];
    return { name, with_: median(with_), without: median(without), ratio: medianRatio(with_, without), turns };
  });
  const p50 = (reports: readonly LoadReport[]) => figure(median(reports.map(({ p50Ms }) => p50Ms)));
  return {
    tables: [
      {
        title: `With the audit log and without, ${clients} clients`,
        head: ["", "with, a second", "without", "with / without", "p50 ms with", "without"],
        rows: rows.map(({ name, with_, without, ratio: share, turns }) => [
          name,
          figure(with_),
          figure(without),
          ratio(share),
          p50(turns.on),
          p50(turns.off),
        ]),
      },
    ],
    figures: Object.fromEntries(
      rows.map(({ name, ratio: share }) => [`audit.${name.replace(" ", ".")}.on/off`, share]),
    ),
    rounds,
  };
}

function rateOf({ completed, seconds }: LoadReport): number {
  return completed / seconds;
}
