// What a rendering thread does: a report in, a PDF or PNG out.
import { accentOf, type ReportBranding } from "../report/branding.ts";
import { paletteOf } from "../report/drawing/palette.ts";
import type { PictureName } from "../report/drawing/pictures.ts";
import type { Paper } from "../report/rendering.ts";
import type { ReportModel } from "../report/report-model.ts";
import { loadFonts } from "./fonts.ts";
import { printedLogo } from "./logo.ts";
import { printedName } from "./pdf/brand.ts";
import { posterPdf } from "./pdf/poster-pdf.ts";
import { reportPdf } from "./pdf/report-pdf.ts";
import { picturePng, registerCanvasFonts } from "./png/picture-png.ts";
import { printableModel } from "./printable.ts";

/** What a thread is sent. */
export type RenderingTask = {
  readonly model: ReportModel;
  readonly branding: ReportBranding;
} & (
  | { readonly format: "pdf"; readonly paper: Paper; readonly picture?: PictureName }
  | { readonly format: "png"; readonly picture: PictureName }
);

/** Renders tasks, with fonts that are loaded once. */
export function createRendering(): (task: RenderingTask) => Promise<Uint8Array> {
  const fonts = loadFonts();
  registerCanvasFonts();
  return async (task) => {
    const model = printableModel(task.model, fonts);
    const palette = paletteOf(accentOf(task.branding), "light");
    const brand = { name: printedName(task.branding, fonts), logo: await printedLogo(task.branding) };
    if (task.format === "png") return picturePng(model, task.picture, { palette, fonts, brand });
    const options = { paper: task.paper, palette, fonts, brand };
    return task.picture === "poster" ? posterPdf(model, options) : reportPdf(model, options);
  };
}
