// What the parts of a page are laid out by.
import { matchLanguage } from "../../../../kernel/presentation/languages.ts";
import type { Paper } from "../../report/rendering.ts";
import type { ReportModel, Worded } from "../../report/report-model.ts";
import type { ReportFonts } from "../fonts.ts";
import type { Column } from "./blocks.ts";
import type { Setting } from "./pen.ts";

/** Width and height in points. */
export const paperSizes: Readonly<Record<Paper, readonly [number, number]>> = {
  a4: [595.28, 841.89],
  letter: [612, 792],
};

/** Edges of a page that stay empty; the page number stands in the lower one. */
export const margins = { side: 40, top: 30, bottom: 34 } as const;

type SizeName =
  | "title"
  | "display"
  | "section"
  | "heading"
  | "lead"
  | "said"
  | "body"
  | "note"
  | "small"
  | "eyebrow"
  | "brand";

export interface Layout {
  readonly model: ReportModel;
  readonly fonts: ReportFonts;
  readonly column: Column;
  readonly sizes: Readonly<Record<SizeName, Setting>>;
  /** The language of a text, if it is not the report's. */
  readonly langOf: (worded: Worded) => { readonly lang?: string };
}

/** A layout. @param zoom of all letters, 1 or less */
export function layoutOf(model: ReportModel, fonts: ReportFonts, paper: Paper, zoom: number): Layout {
  const [width] = paperSizes[paper];
  const set = (size: number, more: Omit<Setting, "size"> = {}): Setting => ({ size: size * zoom, ...more });
  return {
    model,
    fonts,
    column: { x: margins.side, width: width - 2 * margins.side },
    sizes: {
      brand: set(10, { bold: true }),
      title: set(10, { bold: true, muted: true }),
      display: set(32, { bold: true, accent: true }),
      lead: set(12.5),
      eyebrow: set(10, { bold: true, muted: true }),
      said: set(10.5, { bold: true }),
      section: set(13, { bold: true }),
      heading: set(9.5, { bold: true }),
      body: set(9.5),
      note: set(8.75, { muted: true }),
      small: set(8, { muted: true }),
    },
    langOf: ({ language }) =>
      matchLanguage([language], [model.language]) === model.language ? {} : { lang: language },
  };
}
