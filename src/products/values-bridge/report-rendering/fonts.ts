// The font of PDF and PNG: parsed once in a thread, since that takes longer than a drawing.
import { fileURLToPath } from "node:url";
import { type Font, openSync } from "fontkit";
import type { TextWidth } from "../report/drawing/text-width.ts";

export interface ReportFonts {
  readonly regular: Font;
  readonly bold: Font;
  readonly width: TextWidth;
  /** Whether the font has no glyph for a character of the text. */
  readonly isMissingIn: (text: string) => boolean;
}

/** Files of the two cuts. */
export const fontFiles = {
  regular: fontFile("400Regular/SourceSans3_400Regular.ttf"),
  bold: fontFile("600SemiBold/SourceSans3_600SemiBold.ttf"),
} as const;

function fontFile(path: string): string {
  return fileURLToPath(import.meta.resolve(`@expo-google-fonts/source-sans-3/${path}`));
}

/** Parses the font. */
export function loadFonts(): ReportFonts {
  const regular = open(fontFiles.regular);
  const bold = open(fontFiles.bold);
  const advances = { regular: advancesOf(regular), bold: advancesOf(bold) };
  return {
    regular,
    bold,
    width: (text, size, isBold) => (isBold ? advances.bold : advances.regular)(text) * size,
    isMissingIn: (text) =>
      Array.from(text).some((character) => !regular.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)),
  };
}

/**
 * Opens a font and looks every character up once, in their order: a glyph keeps the characters that it was first asked
 * for by, and one that was first met as a part of another (U of Ü) would have none, and so none in the text of later PDFs.
 */
function open(file: string): Font {
  const font = openSync(file);
  if (!("glyphForCodePoint" in font)) throw new Error(`${file} is a collection of fonts`);
  for (const character of font.characterSet.toSorted((one, other) => one - other)) font.glyphForCodePoint(character);
  return font;
}

/** Sums of advance widths for a size of 1, without kerning; kept by character, of which the font has some 2,000. */
function advancesOf(font: Font): (text: string) => number {
  const known = new Map<string, number>();
  const advanceOf = (character: string): number => {
    const found = known.get(character);
    if (found !== undefined) return found;
    const advance = font.glyphForCodePoint(character.codePointAt(0) ?? 0).advanceWidth / font.unitsPerEm;
    if (font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0)) known.set(character, advance);
    return advance;
  };
  return (text) => {
    let width = 0;
    for (const character of text) width += advanceOf(character);
    return width;
  };
}
