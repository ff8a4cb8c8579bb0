// A process that makes reports and does nothing else: what each format costs, and what memory stays behind.

import { reportHtml } from "../../../src/products/values-bridge/report/html/report-html.ts";
import { reportModel } from "../../../src/products/values-bridge/report/report.ts";
import { createRendering } from "../../../src/products/values-bridge/report-rendering/rendering.ts";
import { createRenderingThread } from "../../../src/products/values-bridge/report-rendering/thread.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { inputOf, population } from "../../support/values-bridge/simulated-people.ts";
import { answerParent } from "../servers/child.ts";
import { costsOf } from "./cost.ts";

export interface ReportCostOrder {
  readonly rounds: number;
  /** Reports a round and format. */
  readonly calls: number;
  /** PDFs of each half of the look at memory. */
  readonly pdfs: number;
}

const branding = { displayName: "Acme Coaching", accentColor: "#7a1fa2", logoUrl: null };
const definition = longForm();
const inputs = population(definition, 40, 1).map((answers) => inputOf(definition, answers));
const models = inputs.map((input) => reportModel(input));

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

answerParent(async ({ rounds, calls, pdfs }: ReportCostOrder) => {
  const render = createRendering();
  const [input, model] = [turns(inputs), turns(models)];
  const pdf = () => render({ model: model(), branding, format: "pdf", paper: "a4" });
  const costs = await costsOf(
    {
      model: () => reportModel(input()),
      html: () => reportHtml(model(), branding),
      pdf,
      png: () => render({ model: model(), branding, format: "png", picture: "circle" }),
      svg: () => render({ model: model(), branding, format: "svg", picture: "circle" }),
    },
    { rounds, calls },
  );
  // As in the service: in a thread that is replaced after some tasks, with its own limit of memory.
  const thread = createRenderingThread();
  const residentAfter = async () => {
    for (let count = 0; count < pdfs; count += 1) {
      await thread.render({ model: model(), branding, format: "pdf", paper: "a4" });
    }
    return process.memoryUsage.rss();
  };
  const resident = [await residentAfter(), await residentAfter(), await residentAfter()];
  await thread.close();
  return { costs, resident };
});

export interface ReportCosts {
  /** CPU µs a report, by round. */
  readonly costs: Readonly<Record<"model" | "html" | "pdf" | "png" | "svg", number[]>>;
  /** Bytes in memory after each third of the PDFs. */
  readonly resident: readonly number[];
}
