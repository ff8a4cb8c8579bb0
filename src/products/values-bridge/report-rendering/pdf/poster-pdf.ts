// One-page reports as PDF: the poster of a person, and the report of a group.
import { drawableModel } from "../../report/drawing/pictures.ts";
import { posterHeights, posterParts } from "../../report/drawing/poster.ts";
import type { ReportModel } from "../../report/report-model.ts";
import { teamParts } from "../../report/team/team-drawing.ts";
import type { TeamReportModel } from "../../report/team/team-model.ts";
import { posterBrand } from "./brand.ts";
import { factsOf } from "./open-document.ts";
import { pagePdf } from "./page-pdf.ts";
import type { PdfOptions } from "./report-pdf.ts";

/**
 * The poster of a report.
 * @param model with glyphs in the fonts for all of its texts
 * @throws `not_acceptable` for a report of stored results without scores
 */
export function posterPdf(model: ReportModel, options: PdfOptions): Promise<Uint8Array> {
  const { paper, fonts, brand } = options;
  const head = posterBrand(brand, model);
  const parts = posterParts(drawableModel(model), head, fonts.width, posterHeights[paper]);
  return pagePdf(parts, factsOf(model), options);
}

/** The report of a group. @param model with glyphs in the fonts for all of its texts */
export function teamPdf(model: TeamReportModel, options: PdfOptions): Promise<Uint8Array> {
  const { paper, fonts, brand } = options;
  const { language, title, label, closedAt } = model;
  const parts = teamParts(model, posterBrand(brand, model), fonts.width, posterHeights[paper]);
  return pagePdf(parts, { language, title: `${title}: ${label}`, date: new Date(closedAt) }, options);
}
