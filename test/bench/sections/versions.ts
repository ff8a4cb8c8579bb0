// Old against new: whole assessments through this commit and through another one, in turns.
import { type Bench, inTurns, nodeOptionsOf, type SectionResult } from "../bench.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, ratio } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { cpuSeconds, residentBytes } from "../servers/process-usage.ts";
import { type Service, startService } from "../servers/service.ts";

type Version = "old" | "new";
const measures = ["rate", "cpu", "residentMb"] as const;

/** One turn of a version. */
type Turn = Readonly<Record<(typeof measures)[number], number>>;

/** Measures both versions over each transport. Each has a database of its own: else one did the jobs of both. */
export async function measureVersions({ options, server, load }: Bench): Promise<SectionResult> {
  await using started = new AsyncDisposableStack();
  const services = {} as Record<Version, Service>;
  for (const [version, checkout] of [["old", options.old] as const, ["new", undefined] as const]) {
    const database = await createBenchDatabase(server, checkout);
    started.defer(() => database.drop());
    const service = await startService(database, nodeOptionsOf(options, version), {}, checkout);
    services[version] = service;
    started.defer(() => service.stop());
  }
  const { clients, seconds } = options;
  const transports = (["rest", "grpc"] as const).filter((transport) => options.contenders.includes(transport));
  const rows: string[][] = [];
  const figures: Record<string, number> = {};
  const rounds: Record<string, unknown> = {};
  for (const transport of transports) {
    const turn = (version: Version) => async (): Promise<Turn> => {
      const { pid, target } = services[version];
      const before = cpuSeconds(pid);
      const report = await load.ask({ kind: "whole", target: target(transport), clients, seconds });
      return {
        rate: report.completed / report.seconds,
        cpu: ((cpuSeconds(pid) - before) * 1e6) / report.total,
        residentMb: residentBytes(pid) / 1e6,
      };
    };
    const given = await inTurns({ old: turn("old"), new: turn("new") }, options);
    rounds[transport] = given;
    const valuesOf = (version: Version, what: keyof Turn) => given[version].map((each) => each[what]);
    const compared = (what: keyof Turn) => medianRatio(valuesOf("new", what), valuesOf("old", what));
    for (const version of ["old", "new"] as const) {
      rows.push([transport, version, ...measures.map((what) => figure(median(valuesOf(version, what))))]);
    }
    rows.push([transport, "new / old", ...measures.map((what) => ratio(compared(what)))]);
    for (const what of measures) figures[`versions.${transport}.${what}`] = compared(what);
  }
  const head = ["", "", "a second", "CPU µs", "resident MB"];
  return { tables: [{ title: `Old against new, ${clients} clients`, head, rows }], figures, rounds };
}
