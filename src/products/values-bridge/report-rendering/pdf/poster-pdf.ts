// One-page reports as PDF: the poster of a person, and the report of a group.
import { toBytes } from "pdfkit/output";
import { matchLanguage } from "../../../../kernel/presentation/languages.ts";
import { drawableModel } from "../../report/drawing/pictures.ts";
import { type PosterPart, posterHeights, posterParts, posterWidth } from "../../report/drawing/poster.ts";
import type { ReportModel } from "../../report/report-model.ts";
import { teamParts } from "../../report/team/team-drawing.ts";
import type { TeamReportModel } from "../../report/team/team-model.ts";
import { posterBrand } from "./brand.ts";
import { paperSizes } from "./layout.ts";
import { type DocumentFacts, factsOf, openDocument } from "./open-document.ts";
import { paint } from "./paint.ts";
import { penAt } from "./pen.ts";
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

/** The page. @param parts in the coordinates of a poster, from top to bottom */
function pagePdf(parts: readonly PosterPart[], facts: DocumentFacts, options: PdfOptions): Promise<Uint8Array> {
  const { paper, palette, fonts, brand } = options;
  const document = openDocument(facts, options).addPage();
  const root = document.struct("Document");
  document.addStructure(root);
  const pen = penAt(root, { document, palette, fonts });
  const [width, height] = paperSizes[paper];
  for (const { tag, alt, language = facts.language, marks } of parts) {
    const draw = () => {
      document.save().scale(width / posterWidth);
      paint(pen, marks, brand.logo?.png ?? null);
      document.restore();
    };
    const figure = alt === undefined ? {} : { alt, bbox: [0, 0, width, height] as const, placement: "Block" as const };
    const isOwn = matchLanguage([language], [facts.language]) === facts.language;
    if (tag === null) pen.artifact(draw);
    else pen.leaf(tag, draw, { ...figure, ...(isOwn ? {} : { lang: language }) });
  }
  root.end();
  const bytes = toBytes(document);
  document.end();
  return bytes;
}
