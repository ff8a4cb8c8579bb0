// The font within pages is the one that PDFs are printed with, letter by letter, and its widths are known.
import { type Font, openSync } from "fontkit";
import { describe, expect, test } from "vitest";
import { pageTextWidth } from "../../../src/products/values-bridge/report/drawing/text-width.ts";
import { reportCatalogues } from "../../../src/products/values-bridge/report/words/language.ts";
import { fontFiles } from "../../../src/products/values-bridge/report-rendering/fonts.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";

const cuts = ["regular", "bold"] as const;

function opened(file: string): Font {
  const font = openSync(file);
  if (!("glyphForCodePoint" in font)) throw new Error(`${file} is a collection of fonts`);
  return font;
}

/** All that are characters: the last number of a table is none. */
const charactersOf = ({ characterSet }: Font) => characterSet.filter((each) => each < 0xffff);

const fontOf = (cut: (typeof cuts)[number]) =>
  opened(`src/products/values-bridge/report/html/fonts/report-sans-${cut}.woff2`);

describe.each(cuts)("the %s cut", (cut) => {
  const page = fontOf(cut);

  test("has the outlines, widths and distances of the whole font", () => {
    const whole = opened(fontFiles[cut]);
    expect(page.characterSet.length).toBeGreaterThan(170);
    for (const character of charactersOf(page)) {
      const [one, other] = [page, whole].map((font) => font.glyphForCodePoint(character));
      expect([character, one?.advanceWidth, one?.path.toSVG()]).toEqual([
        character,
        other?.advanceWidth,
        other?.path.toSVG(),
      ]);
    }
    for (const text of ["AVATAR To Wy", "Für alle “Tv”"])
      expect(page.layout(text).advanceWidth).toBe(whole.layout(text).advanceWidth);
  });

  test("has every letter of the texts in English and German, and of the instrument", () => {
    const texts = JSON.stringify([reportCatalogues, longForm()]).replaceAll("\u00ad", "");
    const missing = [...new Set(texts)].filter((each) => !page.hasGlyphForCodePoint(each.codePointAt(0) ?? 0));
    expect(missing).toEqual([]);
  });

  test("is never wider than names are taken to be", () => {
    for (const character of charactersOf(page)) {
      const text = String.fromCodePoint(character);
      const width = page.glyphForCodePoint(character).advanceWidth / page.unitsPerEm;
      expect([text, pageTextWidth(text, 1, cut === "bold") >= width]).toEqual([text, true]);
    }
  });

  test("bears a name of its own, since that of the whole font is reserved", () => {
    expect([page.familyName, page.postscriptName]).not.toEqual([expect.stringContaining("Source"), expect.anything()]);
    expect(page.copyright).toContain("Adobe");
  });
});
