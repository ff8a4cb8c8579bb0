// The work of a rendering thread: renders a report as PDF, PNG or SVG.
import { Resvg } from "@resvg/resvg-js";
import type { ReportBranding } from "../report/branding.ts";
import { describedSvg } from "../report/drawing/svg.ts";
import type { Paper, PictureName } from "../report/rendering.ts";
import type { ReportModel } from "../report/report-model.ts";
import type { TeamReportModel } from "../report/team/team-model.ts";
import { documentOf } from "./documents.ts";
import { type Printable, printable } from "./printable.ts";
import { createTypst, fontFiles } from "./typst.ts";

/** A task for the thread. */
export interface RenderingTask {
  readonly model: ReportModel | TeamReportModel;
  readonly branding: ReportBranding;
  readonly format: "pdf" | "png" | "svg";
  /** Of PDF; A4 by default. */
  readonly paper?: Paper;
  /** The circle by default. */
  readonly picture?: PictureName;
}

/** Width of a PNG in pixels. */
const pngWidth = 1200;

/** After so many tasks V8 collects: it lets 100 kB of each stay until the heap is full. Without `--expose-gc` it does not. */
const tasksBetweenCollections = 20;

/** Renders tasks, with templates and fonts that are read once. The same task gives the same bytes. */
export function createRendering(): (task: RenderingTask) => Promise<Uint8Array> {
  const typst = createTypst();
  let tasks = 0;
  return async (task) => {
    tasks += 1;
    if (tasks % tasksBetweenCollections === 0) globalThis.gc?.();
    const { format, paper = "a4", picture = "circle" } = task;
    const shown = printable(task, typst);
    const part = format === "pdf" && picture !== "poster" ? "report" : picture;
    const document = documentOf(shown, paper, part);
    if (format === "pdf") return typst.pdf(document.template, document.data);
    const svg = typst.svg(document.template, document.data);
    return format === "png" ? pngOf(svg, shown) : Buffer.from(describedSvg(svg, document.data, document.description));
  };
}

function pngOf(svg: string, { needsMoreFonts }: Printable): Uint8Array {
  const font = { fontFiles, loadSystemFonts: needsMoreFonts, defaultFontFamily: "Source Sans 3" };
  return new Resvg(svg, { fitTo: { mode: "width", value: pngWidth }, font }).render().asPng();
}
