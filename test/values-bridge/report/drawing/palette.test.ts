// What the pictures say can be told apart by everybody, in every accent.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { computeContrastRatio, mixColors } from "../../../../src/presentation/accent.ts";
import { createPalette } from "../../../../src/products/values-bridge/report/drawing/palette.ts";

const schemes = ["light", "dark"] as const;

type Triple = readonly [number, number, number];

/** What is left of linear colours without one kind of cones (Viénot, Brettel and Mollon 1999; Brettel et al. 1997). */
const sights: Readonly<Record<string, readonly [Triple, Triple, Triple]>> = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protan: [
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ],
  deutan: [
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ],
  tritan: [
    [1.01277, 0.13548, -0.14826],
    [-0.01243, 0.86812, 0.14431],
    [0.07589, 0.805, 0.11911],
  ],
  grey: [
    [0.2126, 0.7152, 0.0722],
    [0.2126, 0.7152, 0.0722],
    [0.2126, 0.7152, 0.0722],
  ],
};

function seen(hex: string, sight: readonly [Triple, Triple, Triple]): string {
  const linear = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const channels = sight.map((row) => {
    const light = Math.min(
      1,
      Math.max(
        0,
        row.reduce((sum, weight, index) => sum + weight * (linear[index] ?? 0), 0),
      ),
    );
    const share = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(255 * share)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${channels.join("")}`;
}

test("the fill has enough contrast on ground and tint for every accent (WCAG 2.2, 1.4.11)", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffff }), fc.constantFrom(...schemes), (number, scheme) => {
      const { fill, ground, tint, second } = createPalette(`#${number.toString(16).padStart(6, "0")}`, scheme);
      for (const eyes of Object.values(sights)) {
        expect(computeContrastRatio(seen(second, eyes), seen(ground, eyes))).toBeGreaterThanOrEqual(3);
        expect(computeContrastRatio(seen(fill, eyes), seen(ground, eyes))).toBeGreaterThanOrEqual(3);
        expect(computeContrastRatio(seen(fill, eyes), seen(tint, eyes))).toBeGreaterThanOrEqual(3);
      }
    }),
    { numRuns: 2_000 },
  );
});

describe.each(schemes)("on %s ground", (scheme) => {
  test("texts can be read", () => {
    const { text, muted, ground } = createPalette("#0a6b70", scheme);
    expect(computeContrastRatio(text, ground)).toBeGreaterThanOrEqual(7);
    expect(computeContrastRatio(muted, ground)).toBeGreaterThanOrEqual(4.5);
  });

  test("a tint is a little of the fill", () => {
    const { fill, ground, tint, edge } = createPalette("#7a1fa2", scheme);
    expect([tint, edge]).toEqual([mixColors(fill, ground, 0.13), mixColors(fill, ground, 0.5)]);
  });
});

test("a colour between two is theirs in shares", () => {
  expect(mixColors("#ffffff", "#000000", 0.5)).toBe("#808080");
  expect(mixColors("#ff0000", "#0000ff", 1)).toBe("#ff0000");
  expect(mixColors("#ff0000", "#0000ff", 0)).toBe("#0000ff");
});

test.each([
  ["#0a6b70", "warm"],
  ["#7a1fa2", "warm"],
  ["#1565c0", "warm"],
  ["#2e7d32", "warm"],
  ["#d32f2f", "cold"],
  ["#f5b400", "cold"],
])("beside the accent %s, the second hue is %s", (accent, hue) => {
  for (const scheme of schemes) {
    const { second } = createPalette(accent, scheme);
    const [red = 0, blue = 0] = [1, 5].map((at) => Number.parseInt(second.slice(at, at + 2), 16));
    expect(red > blue ? "warm" : "cold").toBe(hue);
  }
});
