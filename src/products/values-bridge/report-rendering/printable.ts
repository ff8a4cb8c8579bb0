// Texts as PDF and PNG can show them.
import { textUnprintable } from "../report/rendering.ts";
import type { ReportModel } from "../report/report-model.ts";
import type { ReportFonts } from "./fonts.ts";

/**
 * Directional formatting, soft hyphens and what turns signs into emoji, which have no glyph. Lines are not turned: the font
 * has no letters for that.
 */
const invisible = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|\ufe0e|\ufe0f/gu;

/** A text without characters that ask for no glyph, letters and their accents composed. */
export function printable(text: string): string {
  return text.normalize("NFC").replace(invisible, "");
}

/**
 * A report with printable texts. The name on it and the partner's words on where to turn are left out if the font lacks a
 * letter of them; of those words, signs that it lacks. Throws `not_acceptable` for any other text.
 */
export function printableModel({ cover, support, ...model }: ReportModel, fonts: ReportFonts): ReportModel {
  const { isMissingIn } = fonts;
  const isPrintable = (text: string) => !isMissingIn(printable(text));
  const words = Array.from(support?.text ?? "")
    .filter((character) => !(/\p{So}/u.test(character) && isMissingIn(character)))
    .join("")
    .trim();
  const name = cover?.name && isPrintable(cover.name) ? cover.name : null;
  const printed = {
    ...model,
    cover: cover && (name ?? cover.date) !== null ? { ...cover, name } : null,
    support: support !== null && words !== "" && isPrintable(words) ? { ...support, text: words } : null,
  };
  return printableTexts(printed, fonts);
}

/** The same with all of its texts printable. Throws `not_acceptable`. */
export function printableTexts<Model extends object>(model: Model, { isMissingIn }: ReportFonts): Model {
  return JSON.parse(JSON.stringify(model), (_name, value: unknown) => {
    if (typeof value !== "string") return value;
    const text = printable(value);
    if (isMissingIn(text)) throw textUnprintable();
    return text;
  }) as Model;
}
