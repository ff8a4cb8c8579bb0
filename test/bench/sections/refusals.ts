// What a refused call costs: a client beyond its limit goes on as fast as it can, over every transport in turns.
import type { LoadOrder, StreamReport } from "../../faults/load/orders.ts";
import { type Bench, inTurns, nodeOptionsOf, type SectionResult } from "../bench.ts";
import type { Target } from "../load/orders.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, ratio } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { Child } from "../servers/child.ts";
import { cpuSeconds } from "../servers/process-usage.ts";
import { startService } from "../servers/service.ts";

type Wire = keyof typeof floors;
const floors = { rest: "Node's HTTP server", grpc: "Node's HTTP/2 server" } as const;

interface Round {
  readonly rate: number;
  readonly cpuMicroseconds: number;
}

/** No session has it, but a client beyond its limit does not hear of that. */
const anySession = "01900000-0000-7000-8000-000000000003";

/** Measures the CPU of refusals, and of Node's own servers that answer constants. */
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
  const transports = (["rest", "grpc"] as const).filter((transport) => options.contenders.includes(transport));
  const contenders: Record<string, () => Promise<Round>> = {};
  for (const transport of transports) {
    const target = service.target(transport);
    const floor = new Child<Wire, number>("test/bench/references/refusing-server.ts");
    started.defer(() => floor.stop());
    contenders[transport] = turn(service.pid, target);
    contenders[floors[transport]] = turn(floor.pid, { ...target, port: await floor.ask(transport) });
  }
  const rounds = await inTurns(contenders, options);
  const cpuOf = (name: string) => (rounds[name] ?? []).map(({ cpuMicroseconds }) => cpuMicroseconds);
  const row = (name: string, share: string) => [
    name,
    figure(median((rounds[name] ?? []).map(({ rate }) => rate))),
    figure(median(cpuOf(name))),
    share,
  ];
  return {
    tables: [
      {
        title: `Refused calls, ${options.clients} clients`,
        head: ["", "a second", "CPU µs", "CPU / Node's"],
        rows: transports.flatMap((transport) => [
          row(transport, ratio(medianRatio(cpuOf(transport), cpuOf(floors[transport])))),
          row(floors[transport], ""),
        ]),
      },
    ],
    figures: Object.fromEntries(transports.map((transport) => [`refusals.${transport}.µs`, median(cpuOf(transport))])),
    rounds,
  };
}
