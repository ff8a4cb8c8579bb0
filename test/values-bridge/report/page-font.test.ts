// The font within pages has the letters that pages are written with, and the widths of the one that PDFs are printed with.
import { describe, expect, test } from "vitest";
import { pageTextWidth } from "../../../src/products/values-bridge/report/drawing/text-width.ts";
import { reportCatalogues } from "../../../src/products/values-bridge/report/words/language.ts";
import { fontFiles, printLettering } from "../../../src/products/values-bridge/report-rendering/typst.ts";
import { readFont } from "../../support/reports/fonts.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";

const printed = fontFiles.map(readFont);
const texts = JSON.stringify([reportCatalogues, longForm()]).replaceAll("\u00ad", "");

describe.each(["regular", "bold"])("the %s cut", (cut) => {
  const page = readFont(`src/presentation/fonts/report-sans-${cut}.woff2`);
  const whole = printed[cut === "bold" ? 1 : 0];

  test("has every letter of the texts in every language, and of the instrument", () => {
    expect(page.characters.length).toBeGreaterThan(170);
    const missing = [...new Set(texts)].filter((each) => !page.characters.includes(each.codePointAt(0) ?? 0));
    expect(missing).toEqual([]);
  });

  test("is never wider than names are taken to be", () => {
    for (const character of page.characters) {
      const text = String.fromCodePoint(character);
      const isWider = (whole?.widthOf(text) ?? 0) > pageTextWidth(text, 1, cut === "bold");
      expect([text, isWider]).toEqual([text, false]);
    }
  });

  test("is never wider than sentences are taken to be in PDF and PNG", () => {
    for (const [, text = ""] of texts.matchAll(/"([^"\\{}]{8,})"/g)) {
      const isWider = (whole?.widthOf(text) ?? 0) > printLettering.width(text, 1, cut === "bold");
      expect([text, isWider]).toEqual([text, false]);
    }
  });
});
