// Texts as PDF and PNG can show them.
import { textUnprintable } from "../report/rendering.ts";
import type { ReportModel } from "../report/report-model.ts";
import type { ReportFonts } from "./fonts.ts";

/** Directional formatting and soft hyphens, which have no glyph. Lines are not turned: the font has no letters for that. */
const invisible = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

/** A text without characters that ask for no glyph, letters and their accents composed. */
export function printable(text: string): string {
  return text.normalize("NFC").replace(invisible, "");
}

/** A report with printable texts. Throws `not_acceptable`. */
export function printableModel(model: ReportModel, { isMissingIn }: ReportFonts): ReportModel {
  return JSON.parse(JSON.stringify(model), (_name, value: unknown) => {
    if (typeof value !== "string") return value;
    const text = printable(value);
    if (isMissingIn(text)) throw textUnprintable();
    return text;
  }) as ReportModel;
}
