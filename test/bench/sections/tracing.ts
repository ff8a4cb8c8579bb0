// What traces cost: whole assessments against services that record nothing, one of a hundred calls, and all of them.
import { startCollector } from "../../support/processes/collector.ts";
import { type Bench, inTurns, type SectionResult } from "../bench.ts";
import { median, medianRatio } from "../report/statistics.ts";
import { figure, ratio } from "../report/table.ts";
import { createBenchDatabase } from "../servers/bench-database.ts";
import { cpuSeconds } from "../servers/process-usage.ts";
import { type Service, startService } from "../servers/service.ts";

const shares = { off: undefined, one: "0.01", all: "1" } as const;
type Share = keyof typeof shares;
const names: Readonly<Record<Share, string>> = { off: "off", one: "1 %", all: "100 %" };

interface Turn {
  /** Assessments a second. */
  readonly rate: number;
  /** CPU µs of the serving process an assessment. */
  readonly cpu: number;
}

/** Measures three services on one database in turns. A collector on the same machine takes what they send. */
export async function measureTracing({ options, server, load }: Bench): Promise<SectionResult> {
  await using started = new AsyncDisposableStack();
  const database = await createBenchDatabase(server);
  started.defer(() => database.drop());
  const collector = await startCollector();
  started.defer(() => collector.close());
  const services = {} as Record<Share, Service>;
  for (const [name, share] of Object.entries(shares) as [Share, string | undefined][]) {
    const traced = share && { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: share };
    services[name] = await startService(database, [], traced === undefined || traced === "" ? {} : traced);
    started.defer(() => services[name].stop());
  }
  const { clients, seconds } = options;
  const transports = ["rest", "grpc"] as const;
  const turn = (share: Share, transport: (typeof transports)[number]) => async (): Promise<Turn> => {
    const { pid, target } = services[share];
    const before = cpuSeconds(pid);
    const report = await load.ask({ kind: "whole", target: target(transport), clients, seconds });
    return { rate: report.completed / report.seconds, cpu: ((cpuSeconds(pid) - before) * 1e6) / report.total };
  };
  const rows: string[][] = [];
  const figures: Record<string, number> = {};
  const rounds: Record<string, unknown> = {};
  for (const transport of transports) {
    const turns = { off: turn("off", transport), one: turn("one", transport), all: turn("all", transport) };
    const given = await inTurns(turns, options);
    rounds[transport] = given;
    const compared = (share: Share, what: keyof Turn) =>
      medianRatio(
        given[share].map((each) => each[what]),
        given.off.map((each) => each[what]),
      );
    for (const share of Object.keys(shares) as Share[]) {
      const middle = (what: keyof Turn) => figure(median(given[share].map((each) => each[what])));
      rows.push([
        transport,
        names[share],
        middle("rate"),
        middle("cpu"),
        ratio(compared(share, "rate")),
        ratio(compared(share, "cpu")),
      ]);
      figures[`tracing.${transport}.${share}/off`] = compared(share, "rate");
      figures[`tracing.${transport}.${share}/off.cpu`] = compared(share, "cpu");
    }
  }
  const head = ["", "recorded", "a second", "CPU µs", "rate/off", "CPU/off"];
  return { tables: [{ title: `Traces, ${clients} clients`, head, rows }], figures, rounds };
}
