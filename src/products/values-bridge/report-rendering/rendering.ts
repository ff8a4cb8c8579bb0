// What a rendering thread does: a report in, a PDF or PNG out.
import { accentOf, type ReportBranding } from "../report/branding.ts";
import { paletteOf } from "../report/drawing/palette.ts";
import type { PictureName } from "../report/drawing/pictures.ts";
import type { Paper } from "../report/rendering.ts";
import type { ReportModel } from "../report/report-model.ts";
import { teamDrawing } from "../report/team/team-drawing.ts";
import { isTeamReport, type TeamReportModel } from "../report/team/team-model.ts";
import { loadFonts } from "./fonts.ts";
import { printedLogo } from "./logo.ts";
import { posterBrand, printedName } from "./pdf/brand.ts";
import { posterPdf, teamPdf } from "./pdf/poster-pdf.ts";
import { reportPdf } from "./pdf/report-pdf.ts";
import { drawingPng, picturePng, registerCanvasFonts } from "./png/picture-png.ts";
import { printableModel, printableTexts } from "./printable.ts";

/** What a thread is sent. */
export type RenderingTask = {
  readonly model: ReportModel | TeamReportModel;
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
    const model = isTeamReport(task.model) ? printableTexts(task.model, fonts) : printableModel(task.model, fonts);
    const palette = paletteOf(accentOf(task.branding), "light");
    const brand = { name: printedName(task.branding, fonts), logo: await printedLogo(task.branding) };
    if (task.format === "png") {
      if (!isTeamReport(model)) return picturePng(model, task.picture, { palette, fonts, brand });
      return drawingPng(teamDrawing(model, posterBrand(brand, model), fonts.width), { palette, brand });
    }
    const options = { paper: task.paper, palette, fonts, brand };
    if (isTeamReport(model)) return teamPdf(model, options);
    return task.picture === "poster" ? posterPdf(model, options) : reportPdf(model, options);
  };
}
