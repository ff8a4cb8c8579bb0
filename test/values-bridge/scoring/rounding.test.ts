// Rounding of reported numbers, and of the numbers that orders compare.
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRounder, roundForOrder } from "../../../src/products/values-bridge/scoring/exact.ts";
import { forAll } from "../../support/values-bridge/sessions.ts";

const round2 = createRounder(2);

test.each([
  [0.005, 0.01],
  [-0.005, -0.01],
  [1.005, 1.01],
  [-1.005, -1.01],
  [2.675, 2.68],
  [0.0049, 0],
  [12.344999, 12.34],
  [16.666666666666664, 16.67],
  [-33.33333333333333, -33.33],
  [99.995, 100],
  [99.99499, 99.99],
  [100, 100],
  [-100, -100],
  [0.1 + 0.2, 0.3],
])("%d is rounded to %d", (value, rounded) => expect(round2(value)).toBe(rounded));

test.each([-0, 0, -0.004, -1e-300])("%d is rounded to 0, never to -0", (value) => expect(round2(value)).toBe(0));

test("every number of hundredths is returned unchanged, with either sign", () => {
  forAll(fc.integer({ min: -10_000, max: 10_000 }), (hundredths) => {
    expect(round2(hundredths / 100)).toBe(hundredths === 0 ? 0 : hundredths / 100);
  });
});

test("every half of a hundredth is rounded away from zero, although doubles miss it", () => {
  forAll(fc.integer({ min: 0, max: 9_999 }), (hundredths) => {
    expect(round2((hundredths + 0.5) / 100)).toBe((hundredths + 1) / 100);
    expect(round2(-(hundredths + 0.5) / 100)).toBe(-(hundredths + 1) / 100);
  });
});

test("rounding follows the number of decimals", () => {
  expect(createRounder(0)(2.5)).toBe(3);
  expect(createRounder(3)(0.0125)).toBe(0.013);
});

test("numbers that differ only by the order of a sum become equal", () => {
  expect(roundForOrder(0.1 + 0.2)).toBe(roundForOrder(0.3));
  expect(roundForOrder(100 * (0.7 + 0.1))).toBe(roundForOrder(100 * 0.8));
});

test("numbers at a tie of the ninth decimal become equal as well", () => {
  for (const tie of [97.4609375005, 0.0000000005, 33.3333333335]) {
    for (const ulps of [-2, -1, 0, 1, 2]) {
      const near = tie + ulps * 2 ** -46;
      expect(roundForOrder(near)).toBe(roundForOrder(tie));
    }
  }
});

test("numbers that differ in the ninth decimal stay apart", () => {
  expect(roundForOrder(46.123456789)).toBeLessThan(roundForOrder(46.12345679));
  expect(roundForOrder(46.123456789)).toBe(46.123456789);
});
