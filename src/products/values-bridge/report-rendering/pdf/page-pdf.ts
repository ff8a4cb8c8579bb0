// A drawing on one page as PDF, made to PDF/UA-1, the same bytes for the same drawing.
import { toBytes } from "pdfkit/output";
import { matchLanguage } from "../../../../kernel/presentation/languages.ts";
import { type PosterPart, posterWidth } from "../../report/drawing/poster.ts";
import { paperSizes } from "./layout.ts";
import { type DocumentFacts, openDocument } from "./open-document.ts";
import { paint } from "./paint.ts";
import { penAt } from "./pen.ts";
import type { PdfOptions } from "./report-pdf.ts";

/** The page. @param parts in the coordinates of a poster, from top to bottom */
export function pagePdf(parts: readonly PosterPart[], facts: DocumentFacts, options: PdfOptions): Promise<Uint8Array> {
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
