// The whole assessment: create, record 152 answers, complete, read results, over each transport.
import { type Bench, inTurns, type SectionResult } from "../bench.ts";
import { median } from "../report/statistics.ts";
import { figure } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { cpuSeconds, residentBytes } from "../servers/process-usage.ts";
import { startService } from "../servers/service.ts";

const measures = ["rate", "p99Ms", "cpu", "residentMb"] as const;

/** Measures the transports of the options, one after the other. */
export async function measureWhole({ options, server, load }: Bench): Promise<SectionResult> {
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  const service = await startService(database);
  started.defer(() => service.stop());
  const { clients, seconds } = options;
  const measureTurn = async (transport: (typeof options.transports)[number]) => {
    const before = cpuSeconds(service.pid);
    const report = await load.ask({ target: service.target(transport), clients, seconds });
    return {
      rate: report.completed / report.seconds,
      p99Ms: report.p99Ms,
      cpu: ((cpuSeconds(service.pid) - before) * 1e6) / report.total,
      residentMb: residentBytes(service.pid) / 1e6,
    };
  };
  const rows: string[][] = [];
  const rounds: Record<string, unknown> = {};
  for (const transport of options.transports) {
    const { turns } = await inTurns({ turns: () => measureTurn(transport) }, options);
    rounds[transport] = turns;
    rows.push([transport, ...measures.map((what) => figure(median(turns.map((each) => each[what]))))]);
  }
  const head = ["", "a second", "p99 ms", "CPU µs", "resident MB"];
  return { tables: [{ title: `Whole assessments, ${clients} clients`, head, rows }], figures: {}, rounds };
}
