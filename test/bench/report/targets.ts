// What the measured figures are held against.
import { figure, type Table } from "./table.ts";

/** Some bounds are those of a server. */
type Bound = number | { readonly MariaDB: number; readonly MySQL: number };

interface Target {
  readonly what: string;
  /** Name of the figure. */
  readonly figure: string;
  readonly unit: string;
  /** The bound: at least, or at most, so much. */
  readonly least?: Bound;
  readonly most?: number;
}

const targets: readonly Target[] = [
  { what: "REST whole assessments / bare server", figure: "whole.rest.rate/bare", unit: "×", least: 0.75 },
  { what: "REST CPU an assessment / bare server's", figure: "whole.rest.cpu/bare", unit: "×", most: 1.8 },
  { what: "gRPC whole assessments / REST", figure: "whole.grpc.rate/rest", unit: "×", least: 0.9 },
  {
    what: "gRPC transport / Connect's Node gRPC handler",
    figure: "pipeline.grpc.rate/connectNode",
    unit: "×",
    least: 2.5,
  },
  { what: "interceptors over the implementation", figure: "pipeline.interceptors.µs", unit: "µs", most: 15 },
  { what: "create with questions / without, REST", figure: "pipeline.create.rest.with/without", unit: "×", least: 0.6 },
  { what: "create with questions / without, gRPC", figure: "pipeline.create.grpc.with/without", unit: "×", least: 0.6 },
  { what: "scoring a complete session", figure: "pipeline.scoring.µs", unit: "µs", most: 60 },
  { what: "quality and error of a complete session", figure: "pipeline.quality.µs", unit: "µs", most: 150 },
  { what: "validating and merging 152 answers", figure: "pipeline.answers.µs", unit: "µs", most: 30 },
  { what: "p99 of the worst operation, largest / smallest", figure: "growth.worst.p99", unit: "×", most: 1.5 },
  { what: "bytes a completed session on disk", figure: "growth.bytesPerSession", unit: "B", most: 3_000 },
  { what: "bytes of a completed session with its norms", figure: "disk.lasting.bytes", unit: "B", most: 3_000 },
  { what: "an export of a million sessions", figure: "exports.secondsPerMillion", unit: "s", most: 150 },
  { what: "a page of an export holds the event loop", figure: "exports.holdMs", unit: "ms", most: 20 },
  { what: "p99 of other calls beside an export / without", figure: "exports.worst.p99", unit: "×", most: 1.5 },
  { what: "a page of a list, the slowest filter, largest size", figure: "lists.worst.ms", unit: "ms", most: 5 },
  { what: "p99 of a page of a list, largest / smallest", figure: "lists.worst.p99", unit: "×", most: 1.5 },
  { what: "a refused call over REST, CPU", figure: "refusals.rest.µs", unit: "µs", most: 40 },
  { what: "a refused call over gRPC, CPU", figure: "refusals.grpc.µs", unit: "µs", most: 80 },
  { what: "completing with norms / without", figure: "norms.complete.on/off", unit: "×", least: 0.95 },
  {
    what: "REST whole assessments with events / without",
    figure: "events.whole.on/off",
    unit: "×",
    least: { MariaDB: 0.9, MySQL: 0.8 },
  },
  { what: "lag of the feed at 80 % load, p50", figure: "events.lag.p50Ms", unit: "ms", most: 150 },
  { what: "lag of the feed at 80 % load, p99", figure: "events.lag.p99Ms", unit: "ms", most: 500 },
  { what: "sequencer alone, events a second", figure: "events.sequencer.rate", unit: "/s", least: 10_000 },
  {
    what: "webhooks delivered a second by three processes",
    figure: "events.deliveries.rate",
    unit: "/s",
    least: 2_000,
  },
  { what: "webhooks out of order at healthy endpoints", figure: "events.deliveries.disordered", unit: "", most: 0 },
  { what: "a delivery, CPU", figure: "events.deliveries.µs", unit: "µs", most: 200 },
  { what: "reads of results with the audit log / without", figure: "audit.results.rest.on/off", unit: "×", least: 0.9 },
  { what: "whole assessments with the audit log / without", figure: "audit.whole.rest.on/off", unit: "×", least: 0.95 },
  {
    what: "whole assessments with traces of 1 % / without, REST",
    figure: "tracing.rest.one/off",
    unit: "×",
    least: 0.97,
  },
  {
    what: "whole assessments with traces of 1 % / without, gRPC",
    figure: "tracing.grpc.one/off",
    unit: "×",
    least: 0.97,
  },
  { what: "cold start, migrated database", figure: "start.seconds", unit: "s", most: 1.5 },
  { what: "circle of a report", figure: "reports.circle.ms", unit: "ms", most: 1 },
  { what: "report as HTML", figure: "reports.html.ms", unit: "ms", most: 2 },
  { what: "report as PDF", figure: "reports.pdf.ms", unit: "ms", most: 60 },
  { what: "report as PNG", figure: "reports.png.ms", unit: "ms", most: 80 },
  { what: "memory after 1,000 PDFs / after 333", figure: "reports.memory.last/first", unit: "×", most: 1.1 },
  { what: "p99 of other calls, with 50 PDFs at once / without", figure: "reports.burst.p99", unit: "×", most: 1.2 },
  { what: "resident memory at rest", figure: "start.restMb", unit: "MB", most: 150 },
];

export interface Outcome {
  readonly what: string;
  readonly bound: string;
  readonly measured: number;
  readonly isMet: boolean;
}

/**
 * Holds the figures against the targets; targets whose figure was not measured are left out.
 * @param serverName such as `MySQL 9.7.0`
 */
export function holdAgainstTargets(figures: Readonly<Record<string, number>>, serverName: string): Outcome[] {
  return targets.flatMap(({ what, figure: name, unit, most, ...target }) => {
    const measured = figures[name];
    if (measured === undefined) return [];
    const least = boundOn(serverName, target.least);
    const isMet = measured >= (least ?? Number.NEGATIVE_INFINITY) && measured <= (most ?? Number.POSITIVE_INFINITY);
    const bound = least === undefined ? `≤ ${most} ${unit}` : `≥ ${least} ${unit}`;
    return [{ what, bound, measured, isMet }];
  });
}

function boundOn(serverName: string, bound: Bound | undefined): number | undefined {
  if (typeof bound !== "object") return bound;
  return serverName.startsWith("MySQL") ? bound.MySQL : bound.MariaDB;
}

/** The outcomes as a table. */
export function targetTable(outcomes: readonly Outcome[]): Table {
  return {
    title: "Targets",
    head: ["what", "target", "measured", ""],
    rows: outcomes.map(({ what, bound, measured, isMet }) => [what, bound, figure(measured), isMet ? "met" : "MISSED"]),
  };
}
