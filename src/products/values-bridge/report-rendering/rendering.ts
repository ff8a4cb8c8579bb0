// The work of a rendering thread: renders a report as PDF or PNG.
import { Resvg } from "@resvg/resvg-js";
import type { ReportBranding } from "../report/branding.ts";
import type { PictureName } from "../report/drawing/pictures.ts";
import type { Paper } from "../report/rendering.ts";
import type { ReportModel } from "../report/report-model.ts";
import { pictureSvg } from "../report/svg/picture-svg.ts";
import { teamSvg } from "../report/team/team-drawing.ts";
import { isTeamReport, type TeamReportModel } from "../report/team/team-model.ts";
import { documentOf } from "./documents.ts";
import { type Printable, printable } from "./printable.ts";
import { createTypst, fontFiles, printLettering } from "./typst.ts";

/** A task for the thread. */
export type RenderingTask = {
  readonly model: ReportModel | TeamReportModel;
  readonly branding: ReportBranding;
} & (
  | { readonly format: "pdf"; readonly paper: Paper; readonly picture?: PictureName }
  | { readonly format: "png"; readonly picture: PictureName }
);

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
    const shown = printable(task, typst);
    return task.format === "pdf"
      ? documentOf(shown, task.paper, task.picture ?? "circle", typst)
      : pngOf(shown, task.picture);
  };
}

function pngOf({ model, branding, needsMoreFonts }: Printable, picture: PictureName): Uint8Array {
  const svg = isTeamReport(model)
    ? teamSvg(model, branding, printLettering)
    : pictureSvg(model, picture, branding, printLettering);
  const font = { fontFiles, loadSystemFonts: needsMoreFonts, defaultFontFamily: "Source Sans 3" };
  return new Resvg(svg, { fitTo: { mode: "width", value: pngWidth }, font }).render().asPng();
}
