// A partner's colour is its own where text stands on it, and legible wherever it stands on the page.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  computeContrastRatio,
  defaultAccent,
  deriveAccents,
  resemblesWarning,
} from "../../../src/presentation/accent.ts";
import { neutrals } from "../../../src/presentation/look.ts";

const colors = fc.integer({ min: 0, max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, "0")}`);

/** The values of a custom property in the stylesheet, in the light and in the dark scheme. */
function valuesOf(property: string): string[] {
  const css = readFileSync(new URL("../../../src/pages/assets/hosted.css", import.meta.url), "utf8");
  return [...css.matchAll(new RegExp(`--${property}: (#[0-9a-f]{6})`, "g"))].map(([, value = ""]) => value).slice(0, 2);
}

test("contrast is computed as WCAG defines it", () => {
  expect(computeContrastRatio("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(computeContrastRatio("#777777", "#ffffff")).toBeCloseTo(4.478, 2);
  expect(computeContrastRatio("#ffffff", "#777777")).toBeCloseTo(4.478, 2);
  expect(computeContrastRatio("#123456", "#123456")).toBe(1);
});

test("every accent colour becomes legible on every background of the pages, and so does text on it", () => {
  const { light: lightNeutrals, dark: darkNeutrals } = neutrals;
  const backgrounds = [valuesOf("background"), [lightNeutrals.ground, darkNeutrals.ground]];
  fc.assert(
    fc.property(colors, (color) => {
      const { fill, onFill, onLight, onDark } = deriveAccents(color);
      expect(fill).toBe(color);
      expect(computeContrastRatio(fill, onFill)).toBeGreaterThanOrEqual(4.5);
      for (const [light = "", dark = ""] of backgrounds) {
        expect(computeContrastRatio(onLight, light)).toBeGreaterThanOrEqual(4.5);
        expect(computeContrastRatio(onDark, dark)).toBeGreaterThanOrEqual(4.5);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("a colour that is already legible stays as it is", () => {
  expect(deriveAccents("#0a6b70").onLight).toBe("#0a6b70");
  expect(deriveAccents("#f5b400").onDark).toBe("#f5b400");
  expect(deriveAccents(defaultAccent).onFill).toBe("#ffffff");
});

test("a colour that is changed keeps its hue", () => {
  expect(deriveAccents("#ff0000").onLight).toMatch(/^#[a-f][0-9a-f]0000$/);
  const [, red = "", green = "", blue = ""] = /^#(..)(..)(..)$/.exec(deriveAccents("#0000ff").onDark) ?? [];
  expect([red === green, blue]).toEqual([true, "ff"]);
});

test.each(["#d32f2f", "#b00020", "#e53935", "#c2185b", "#e4572e", "#ff6f00", "#8a3b00"])(
  "%s looks like the colour of errors and warnings",
  (accent) => expect(resemblesWarning(accent)).toBe(true),
);

test.each([defaultAccent, "#7a1fa2", "#1565c0", "#2e7d32", "#f5d400", "#607d8b", "#795f58", "#000000", "#ffffff"])(
  "%s looks like no error",
  (accent) => expect(resemblesWarning(accent)).toBe(false),
);
