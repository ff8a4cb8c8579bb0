// A process that makes reports and does nothing else: what each format costs.

import { renderReportHtml } from "../../../src/products/values-bridge/report/html/report-html.ts";
import { createReportModel } from "../../../src/products/values-bridge/report/report.ts";
import { createRendering } from "../../../src/products/values-bridge/report-rendering/render-task.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { inputOf, population } from "../../support/values-bridge/simulated-people.ts";
import { answerParent } from "../servers/child.ts";

export interface ReportCostOrder {
  readonly rounds: number;
  /** Reports a round and format. */
  readonly calls: number;
}

/** CPU µs of a report, by format and round. */
export type ReportCosts = Readonly<Record<string, number[]>>;

const branding = { displayName: "Acme Coaching", accentColor: "#7a1fa2", logoUrl: null };
const definition = longForm();
const inputs = population(definition, 40, 1).map((answers) => inputOf(definition, answers));
const models = inputs.map((input) => createReportModel(input));
const render = createRendering();

/** Gives one after the other, from the start again at the end. */
function turns<T>(list: readonly T[]): () => T {
  let next = 0;
  return () => {
    const item = list[next % list.length];
    next += 1;
    if (item === undefined) throw new Error("nothing to take turns with");
    return item;
  };
}

const [nextInput, nextModel] = [turns(inputs), turns(models)];
const tasks: Readonly<Record<string, () => unknown>> = {
  model: () => createReportModel(nextInput()),
  html: () => renderReportHtml(nextModel(), branding),
  pdf: () => render({ model: nextModel(), branding, format: "pdf", paper: "a4" }),
  png: () => render({ model: nextModel(), branding, format: "png", picture: "circle" }),
  svg: () => render({ model: nextModel(), branding, format: "svg", picture: "circle" }),
};

/** The formats take turns; a first turn of each warms up. */
answerParent(async ({ rounds, calls }: ReportCostOrder): Promise<ReportCosts> => {
  const costs = Object.fromEntries(Object.keys(tasks).map((name) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, task] of Object.entries(tasks)) {
      const before = process.cpuUsage();
      for (let call = 0; call < calls; call += 1) await task();
      const { user, system } = process.cpuUsage(before);
      if (round > 0) costs[name]?.push((user + system) / calls);
    }
  }
  return costs;
});
