// What the measured figures are held against.
import { figure, type Table } from "./table.ts";

interface Target {
  readonly what: string;
  /** Name of the figure. */
  readonly figure: string;
  readonly unit: string;
  /** The bound: at least, or at most, so much. */
  readonly least?: number;
  readonly most?: number;
}

const targets: readonly Target[] = [
  { what: "bytes of a completed session with its norms", figure: "disk.lasting.bytes", unit: "B", most: 3_000 },
  { what: "webhooks with 500,000 waiting", figure: "deliveries.rate", unit: "a second", least: 300 },
  { what: "CPU of a delivery", figure: "deliveries.µs", unit: "µs", most: 250 },
  { what: "deliveries out of order", figure: "deliveries.disordered", unit: "", most: 0 },
  { what: "cold start, migrated database", figure: "start.seconds", unit: "s", most: 1.5 },
  { what: "report as HTML", figure: "reports.html.ms", unit: "ms", most: 2 },
  { what: "report as PDF", figure: "reports.pdf.ms", unit: "ms", most: 60 },
  { what: "report as PNG", figure: "reports.png.ms", unit: "ms", most: 80 },
  { what: "resident memory at rest", figure: "start.restMb", unit: "MB", most: 150 },
];

export interface Outcome {
  readonly what: string;
  readonly bound: string;
  readonly measured: number;
  readonly isMet: boolean;
}

/** Holds the figures against the targets; targets whose figure was not measured are left out. */
export function holdAgainstTargets(figures: Readonly<Record<string, number>>): Outcome[] {
  return targets.flatMap(({ what, figure: name, unit, least, most }) => {
    const measured = figures[name];
    if (measured === undefined) return [];
    const isMet = measured >= (least ?? Number.NEGATIVE_INFINITY) && measured <= (most ?? Number.POSITIVE_INFINITY);
    const bound = least === undefined ? `≤ ${most} ${unit}` : `≥ ${least} ${unit}`;
    return [{ what, bound, measured, isMet }];
  });
}

/** The outcomes as a table. */
export function targetTable(outcomes: readonly Outcome[]): Table {
  return {
    title: "Targets",
    head: ["what", "target", "measured", ""],
    rows: outcomes.map(({ what, bound, measured, isMet }) => [what, bound, figure(measured), isMet ? "met" : "MISSED"]),
  };
}
