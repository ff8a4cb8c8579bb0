// The work of a rendering thread: renders a report as PDF, PNG or SVG.
import { Resvg } from "@resvg/resvg-js";
import { renderDescribedSvg } from "../report/drawing/svg.ts";
import type { RenderRequest } from "../report/report-renderer.ts";
import { toDocument } from "./documents.ts";
import { toPrintable } from "./printable.ts";
import { createTypst } from "./typst.ts";

/** A task for the thread. */
export type RenderingTask = Pick<RenderRequest, "model" | "branding" | "paper" | "picture"> & {
  readonly format: "pdf" | "png" | "svg";
};

/** Width of a PNG in pixels. */
const pngWidth = 1200;

/** Creates the rendering of tasks. The same task gives the same bytes. */
export function createRendering(): (task: RenderingTask) => Promise<Uint8Array> {
  const typst = createTypst();
  return async (task) => {
    const { format, paper = "a4", picture = "circle" } = task;
    const printableTask = toPrintable(task, typst);
    const part = format === "pdf" && picture !== "poster" ? "report" : picture;
    const document = toDocument(printableTask, paper, part);
    if (format === "pdf") return typst.pdf(document.template, document.data);
    const svg = typst.svg(document.template, document.data);
    return format === "png" ? toPng(svg) : Buffer.from(renderDescribedSvg(svg, document.data, document.description));
  };
}

/** Needs no font: letters in the SVG are shapes. */
function toPng(svg: string): Uint8Array {
  const options = { fitTo: { mode: "width", value: pngWidth }, font: { loadSystemFonts: false } } as const;
  return new Resvg(svg, options).render().asPng();
}
