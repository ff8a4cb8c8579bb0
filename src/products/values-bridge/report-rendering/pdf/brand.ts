// The head of a PDF: the partner's logo or name, else neutral words.
import { cleanName, type ReportBranding } from "../../report/branding.ts";
import type { PosterBrand } from "../../report/drawing/poster.ts";
import { neutralHead } from "../../report/words/brand.ts";
import type { ReportFonts } from "../fonts.ts";
import type { PrintedLogo } from "../logo.ts";
import { printable } from "../printable.ts";
import { type Block, textBlock } from "./blocks.ts";
import type { Layout } from "./layout.ts";

export interface PrintedBrand {
  /** Null: none, or the font lacks a glyph of it. */
  readonly name: string | null;
  readonly logo: PrintedLogo | null;
}

/** Height of the logo in points. */
const logoHeight = 26;

/** The name of a branding as the font can show it. */
export function printedName(branding: ReportBranding, { isMissingIn }: ReportFonts): string | null {
  const name = printable(cleanName(branding.displayName) ?? "").trim();
  return name === "" || isMissingIn(name) ? null : name;
}

/** What stands at the head of a poster. */
export function posterBrand({ name, logo }: PrintedBrand, model: Parameters<typeof neutralHead>[0]): PosterBrand {
  return { words: name ?? printable(neutralHead(model)), hasLogo: logo !== null };
}

/** The head of the first page. */
export function brandBlock({ name, logo }: PrintedBrand, { model, column, sizes, fonts }: Layout): Block {
  const { words } = posterBrand({ name, logo }, model);
  if (logo === null) return textBlock("P", words, column, sizes.brand, fonts);
  const width = logoHeight * logo.ratio;
  return {
    height: logoHeight,
    draw(pen, y) {
      const { document } = pen;
      const bbox = [column.x, y, column.x + width, y + logoHeight] as const;
      const image = () => document.image(logo.png, column.x, y, { fit: [width, logoHeight] });
      pen.leaf("Figure", image, { alt: words, bbox, placement: "Block" });
    },
  };
}
