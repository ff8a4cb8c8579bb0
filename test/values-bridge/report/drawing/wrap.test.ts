// Names in lines: how wide letters are in the fonts of pages and documents, and where lines end.
import { describe, expect, test } from "vitest";
import { computeTextWidth } from "../../../../src/products/values-bridge/report/drawing/text-width.ts";
import { shortenName, wrapName } from "../../../../src/products/values-bridge/report/drawing/wrap.ts";
import { reportCatalogues } from "../../../../src/products/values-bridge/report/words/language.ts";
import { fontFiles } from "../../../../src/products/values-bridge/report-rendering/typst.ts";
import { readFont } from "../../../support/reports/fonts.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";

/** Every character is as wide as one unit. */
const width = (text: string) => text.length;

test.each([
  ["Verantwortung", 8, ["Verant-", "wortung"]],
  ["Accomplishment", 12, ["Accomplish-", "ment"]],
  ["Accomplishment", 8, ["Accom-", "plish-", "ment"]],
  ["Wohlstand", 7, ["Wohl-", "stand"]],
  ["xxxxxxxxxx", 4, ["xxx-", "xxx-", "xxxx"]],
  ["a b c d e f g", 1, ["a", "b", "c", "d…"]],
  ["higher by 2 steps now", 9, ["higher by", "2 steps", "now"]],
])("the name %j in lines of %d is wrapped as %j", (name, room, lines) => {
  expect(wrapName(name, 1, room, width)).toEqual(lines);
});

test.each([
  ["Free Thinking", 100, ["Free Thinking"]],
  ["Personal Safety", 100, ["Personal", "Safety"]],
  ["Accomplishment", 100, ["Accomplishment"]],
  ["one very long name", 100, ["one very", "long name"]],
  ["a name with far too little room", 9, ["a name", "with far", "too", "little", "room"].slice(0, 4)],
])("the name %j with room for %d is %j", (name, room, lines) => {
  expect(wrapName(name, 13, room, width).slice(0, 3)).toEqual(lines.slice(0, 3));
});

test.each([
  ["Gesellschaftliche Verbindungen", "Gesellschaftliche Verbindungen"],
  ["Selbstbestimmtes und unabhängiges Nachdenken", "Selbstbestimmtes…"],
  ["Enjoying good food, comfort and simple delights", "Enjoying good food, comfort…"],
  ["Choosing my own way of life, day after day", "Choosing my own way of life…"],
])("the name %j is shortened to %j around the circle on phones", (name, short) => {
  expect(shortenName(name)).toBe(short);
});

test("widths grow with every character and with the size", () => {
  expect(computeTextWidth("Gerechtigkeit", 20)).toBeCloseTo(2 * computeTextWidth("Gerechtigkeit", 10), 9);
  expect(computeTextWidth("価値", 10)).toBeGreaterThan(20);
  expect(computeTextWidth("e\u0301", 10)).toBe(computeTextWidth("é", 10));
});

const printed = fontFiles.map(readFont);
const texts = JSON.stringify([reportCatalogues, longForm()]);

describe.each(["regular", "bold"])("the %s cut of the font", (cut) => {
  const page = readFont(`src/presentation/fonts/report-sans-${cut}.woff2`);
  const whole = printed[cut === "bold" ? 1 : 0];

  test("the cut has every letter of the texts in every language, and of the instrument", () => {
    expect(page.characters.length).toBeGreaterThan(170);
    const missing = [...new Set(texts)].filter((each) => !page.characters.includes(each.codePointAt(0) ?? 0));
    expect(missing).toEqual([]);
  });

  test("the cut is never wider than names are assumed to be", () => {
    for (const character of page.characters) {
      const text = String.fromCodePoint(character);
      const isWider = (whole?.widthOf(text) ?? 0) > computeTextWidth(text, 1);
      expect([text, isWider]).toEqual([text, false]);
    }
  });
});
