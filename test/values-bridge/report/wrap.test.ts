// Texts in lines: how wide letters are in the fonts of pages, pictures and PDFs, and where lines end.
import { describe, expect, test } from "vitest";
import { browserTextWidth, pageTextWidth } from "../../../src/products/values-bridge/report/drawing/text-width.ts";
import { shortName, wrap, wrapEvenly, wrapName } from "../../../src/products/values-bridge/report/drawing/wrap.ts";
import { reportCatalogues } from "../../../src/products/values-bridge/report/words/language.ts";
import { fontFiles, printLettering } from "../../../src/products/values-bridge/report-rendering/typst.ts";
import { readFont } from "../../support/reports/fonts.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";

/** Every character is as wide as one unit. */
const font = { size: 1, bold: false, width: (text: string) => text.length };

test.each([
  ["one two three", 7, ["one two", "three"]],
  ["one two three", 100, ["one two three"]],
  ["", 5, [""]],
  ["Verantwortung", 8, ["Verant-", "wortung"]],
  ["Verant\u00adwortung übernehmen", 9, ["Verant-", "wortung", "überneh-", "men"]],
  ["xxxxxxxxxx", 4, ["xxx-", "xxx-", "xxxx"]],
  ["a b c d e f g", 1, ["a", "b", "c", "d…"]],
  ["higher by 2 steps now", 11, ["higher by", "2 steps now"]],
  ["on 21 November 2026", 11, ["on", "21 November", "2026"]],
])("%j in lines of %d is %j", (text, room, lines) => {
  expect(wrap(text, room, font)).toEqual(lines);
});

test("a title has as few lines as it needs, and they are even", () => {
  expect(wrapEvenly("one two three four five six", 24, font)).toEqual(["one two three", "four five six"]);
});

test.each([
  ["that fits is not cut to be more even", "aa bb cc dd", 5, ["aa bb", "cc dd"]],
  ["that does not fit is cut in lines of full length", "aa bb cc dd ee", 5, ["aa bb", "cc dd…"]],
])("a text %s", (_what, text, room, lines) => {
  expect(wrapEvenly(text, room, font, 2)).toEqual(lines);
});

test.each([
  ["Free Thinking", 100, ["Free Thinking"]],
  ["Personal Safety", 100, ["Personal", "Safety"]],
  ["Accomplishment", 100, ["Accomplishment"]],
  ["one very long name", 100, ["one very", "long name"]],
  ["a name with far too little room", 9, ["a name", "with far", "too", "little", "room"].slice(0, 4)],
])("the name %j with room for %d is %j", (name, room, lines) => {
  expect(wrapName(name, 13, room, font).slice(0, 3)).toEqual(lines.slice(0, 3));
});

test.each([
  ["Gesellschaftliche Verbindungen", "Gesellschaftliche Verbindungen"],
  ["Selbstbestimmtes und unabhängiges Nachdenken", "Selbstbestimmtes…"],
  ["Enjoying good food, comfort and simple delights", "Enjoying good food, comfort…"],
  ["Choosing my own way of life, day after day", "Choosing my own way of life…"],
  ["Selbst\u00adverantwortungs\u00adbewusstseinsförderung", "Selbstverantwortungsbewusstse…"],
])("on phones the name %j stands as %j around the circle", (name, short) => {
  expect(shortName(name)).toBe(short);
});

describe("widths", () => {
  const [regular, bold] = fontFiles.map(readFont);

  test("of texts in browsers are at least those of a narrow font", () => {
    const letters = Array.from({ length: 0x17f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index));
    const visible = letters.filter((letter) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(letter));
    for (const letter of visible) {
      for (const isBold of [false, true]) {
        const width = (isBold ? bold : regular)?.widthOf(letter) ?? 0;
        expect([letter, browserTextWidth(letter, 100, isBold) >= 100 * width]).toEqual([letter, true]);
      }
    }
  });

  test("grow with every character and with the size", () => {
    expect(browserTextWidth("Gerechtigkeit", 20, false)).toBeCloseTo(
      2 * browserTextWidth("Gerechtigkeit", 10, false),
      9,
    );
    expect(browserTextWidth("価値", 10, false)).toBeGreaterThan(20);
    expect(browserTextWidth("e\u0301", 10, false)).toBe(browserTextWidth("é", 10, false));
  });
});

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
