// Reports: what each format costs, in a process that makes them and does nothing else.
import { startOptions, startVariables } from "../../support/processes/command.ts";
import { type Bench, nodeOptionsOf, type SectionResult } from "../bench.ts";
import { median } from "../report/statistics.ts";
import { figure } from "../report/table.ts";
import { Child } from "../servers/child.ts";
import type { ReportCostOrder, ReportCosts } from "./report-costs.ts";

export async function measureReports({ options }: Bench): Promise<SectionResult> {
  const nodeOptions = [...startOptions(), ...nodeOptionsOf(options, "reports")];
  const main = "test/bench/sections/report-costs.ts";
  const child = new Child<ReportCostOrder, ReportCosts>(main, nodeOptions, startVariables());
  try {
    const costs = await child.ask({ rounds: options.rounds, calls: options.isQuick ? 2 : 40 });
    const medians = Object.entries(costs).map(([name, rounds]) => [name, median(rounds) / 1000] as const);
    return {
      tables: [{ title: "Reports", head: ["", "CPU ms"], rows: medians.map(([name, ms]) => [name, figure(ms)]) }],
      figures: Object.fromEntries(medians.map(([name, ms]) => [`reports.${name}.ms`, ms])),
      rounds: costs,
    };
  } finally {
    await child.stop();
  }
}
