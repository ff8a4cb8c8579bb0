// What a refused call costs: a client beyond its limit goes on as fast as it can, over every transport in turns.
import type { LoadOrder, StreamReport } from "../../faults/load/orders.ts";
import { type Bench, inTurns, nodeOptionsOf, type SectionResult } from "../bench.ts";
import type { Target } from "../load/orders.ts";
import { median } from "../report/statistics.ts";
import { figure } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { Child } from "../servers/child.ts";
import { cpuSeconds } from "../servers/process-usage.ts";
import { startService } from "../servers/service.ts";

/** No session has it, but a client beyond its limit does not hear of that. */
const anySession = "01900000-0000-7000-8000-000000000003";

/** Measures the CPU of refusals. */
export async function measureRefusals(bench: Bench): Promise<SectionResult> {
  const { options, server } = bench;
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  const limits = { RATE_LIMIT_PER_MINUTE: "1", RATE_LIMIT_BURST: "1" };
  const service = await startService(database, nodeOptionsOf(options, "refusals"), limits);
  started.defer(() => service.stop());
  const load = new Child<LoadOrder, StreamReport[]>("test/faults/load/process.ts");
  started.defer(() => load.stop());
  const turn = (pid: number, target: Target) => async () => {
    const before = cpuSeconds(pid);
    const stream = { target, operation: "record", subjects: [anySession], perSecond: undefined } as const;
    const { seconds, clients } = options;
    const [report] = await load.ask({ streams: [{ ...stream, connections: clients }], seconds });
    // The first call of a window is let in.
    if (report === undefined || report.refused < Math.max(report.sent - 1, 1)) {
      throw new Error(`not only refusals: ${JSON.stringify(report)}`);
    }
    const cpuMicroseconds = ((cpuSeconds(pid) - before) / report.refused) * 1e6;
    return { rate: report.refused / seconds, cpuMicroseconds };
  };
  const transports = ["rest", "grpc"] as const;
  const rounds = await inTurns(
    { rest: turn(service.pid, service.target("rest")), grpc: turn(service.pid, service.target("grpc")) },
    options,
  );
  const cpuOf = (name: (typeof transports)[number]) => rounds[name].map(({ cpuMicroseconds }) => cpuMicroseconds);
  return {
    tables: [
      {
        title: `Refused calls, ${options.clients} clients`,
        head: ["", "a second", "CPU µs"],
        rows: transports.map((transport) => [
          transport,
          figure(median(rounds[transport].map(({ rate }) => rate))),
          figure(median(cpuOf(transport))),
        ]),
      },
    ],
    figures: Object.fromEntries(transports.map((transport) => [`refusals.${transport}.µs`, median(cpuOf(transport))])),
    rounds,
  };
}
