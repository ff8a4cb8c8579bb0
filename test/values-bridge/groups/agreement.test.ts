// Agreement and intervals of group numbers, held to published figures; test/validation/agreement.test.ts holds them to R.
import { expect, test } from "vitest";
import {
  computeMeanHalfWidth,
  computeRwg,
  computeVarianceRange,
} from "../../../src/products/values-bridge/groups/agreement.ts";
import { findCriticalT } from "../../../src/products/values-bridge/quality/statistics.ts";

test("r_wg is 1 without variance, .5 at half of that of the uniform distribution, and never below 0", () => {
  expect(computeRwg(0, 100)).toBe(1);
  expect(computeRwg(100 ** 2 / 24, 100)).toBeCloseTo(0.5, 12);
  expect(computeRwg(2500, 100)).toBe(0);
});

test("the half width of five members is t(4, .975) = 2.776445 standard errors", () => {
  expect(computeMeanHalfWidth(5, 5, findCriticalT(4), [])).toBeCloseTo(2.776445, 6);
  expect(computeMeanHalfWidth(30, 30, findCriticalT(29), [])).toBeCloseTo(2.04523, 5);
  // The variance of a uniform distribution of width 6 is 3: two of them and the mean's own 2 are 8.
  expect(computeMeanHalfWidth(10, 5, 1, [6, 6])).toBeCloseTo(Math.sqrt(8), 12);
});

test("a variance of 25 members lies by chance where chi-square has 95 %", () => {
  // R: qchisq(c(.025, .975), 24) / 24
  const [low, high] = computeVarianceRange(25, 1);
  expect(low).toBeCloseTo(0.516714, 2);
  expect(high).toBeCloseTo(1.640171, 2);
});

test("a bound for 57 tests of 12 members is that of Student's t", () => {
  // R: qt(1 - .025 / 57, 11)
  expect(findCriticalT(11, 57)).toBeCloseTo(4.516417, 5);
});
