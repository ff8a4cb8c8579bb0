// A poster as PDF: one page, made to PDF/UA-1, the same bytes for the same report.
import { toBytes } from "pdfkit/output";
import { drawableModel } from "../../report/drawing/pictures.ts";
import { posterHeights, posterParts, posterWidth } from "../../report/drawing/poster.ts";
import type { ReportModel } from "../../report/report-model.ts";
import { posterBrand } from "./brand.ts";
import { layoutOf, paperSizes } from "./layout.ts";
import { paint } from "./paint.ts";
import { penAt } from "./pen.ts";
import { openDocument, type PdfOptions } from "./report-pdf.ts";

/**
 * The poster of a report.
 * @param model with glyphs in the fonts for all of its texts
 * @throws `not_acceptable` for a report of stored results without scores
 */
export function posterPdf(model: ReportModel, options: PdfOptions): Promise<Uint8Array> {
  const { paper, palette, fonts, brand } = options;
  const parts = posterParts(
    drawableModel(model),
    posterBrand(brand, model.language),
    fonts.width,
    posterHeights[paper],
  );
  const { langOf } = layoutOf(model, fonts, paper, 1);
  const document = openDocument(model, options).addPage();
  const root = document.struct("Document");
  document.addStructure(root);
  const pen = penAt(root, { document, palette, fonts });
  const [width, height] = paperSizes[paper];
  for (const { tag, alt, language, marks } of parts) {
    const draw = () => {
      document.save().scale(width / posterWidth);
      paint(pen, marks, brand.logo?.png ?? null);
      document.restore();
    };
    const figure = alt === undefined ? {} : { alt, bbox: [0, 0, width, height] as const, placement: "Block" as const };
    if (tag === null) pen.artifact(draw);
    else pen.leaf(tag, draw, { ...figure, ...(language === undefined ? {} : langOf({ text: "", language })) });
  }
  root.end();
  const bytes = toBytes(document);
  document.end();
  return bytes;
}
