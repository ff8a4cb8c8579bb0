// The sampler, held to the exact probabilities of the discrete Gaussian.
import { expect, test } from "vitest";
import {
  computeNoiseVariance,
  drawBelow,
  drawDiscreteGaussian,
} from "../../../../src/products/values-bridge/norms/pool/draw.ts";
import { howMany } from "../../../support/extent.ts";
import { seededBytes } from "../../../support/values-bridge/seeded-bytes.ts";

/** The weights of all whole numbers up to 12 standard deviations from 0; the others are together below 1e-30. */
function weights(variance: number): { least: number; weights: number[]; total: number } {
  const most = Math.ceil(12 * Math.sqrt(variance));
  const each = Array.from({ length: 2 * most + 1 }, (_, place) => Math.exp(-((place - most) ** 2) / (2 * variance)));
  return { least: -most, weights: each, total: each.reduce((sum, weight) => sum + weight, 0) };
}

/** What a chi-square with this many degrees of freedom exceeds once in 1,000 times (Wilson and Hilferty 1931). */
function critical(df: number): number {
  const share = 2 / (9 * df);
  return df * (1 - share + 3.0902 * Math.sqrt(share)) ** 3;
}

/** Chi-square of drawn numbers against the exact probabilities of `classes` classes that are about as likely. */
function chiSquare(drawn: readonly number[], variance: number, classes: number): { value: number; df: number } {
  const { least, weights: each, total } = weights(variance);
  const classOf: number[] = [];
  const expected: number[] = [0];
  for (const weight of each) {
    if ((expected.at(-1) ?? 0) >= 1 / classes) expected.push(0);
    expected[expected.length - 1] = (expected.at(-1) ?? 0) + weight / total;
    classOf.push(expected.length - 1);
  }
  const observed = expected.map(() => 0);
  for (const number of drawn) {
    const index = classOf[number - least] ?? Number.NaN;
    observed[index] = (observed[index] ?? 0) + 1;
  }
  const value = expected.reduce((sum, share, place) => {
    const wanted = share * drawn.length;
    return sum + ((observed[place] ?? 0) - wanted) ** 2 / wanted;
  }, 0);
  return { value, df: expected.length - 1 };
}

test.each([
  ["a small variance, number by number", 3, 40],
  ["the variance of a release", computeNoiseVariance(60), 200],
])("draws with %s have the exact probabilities", (_, variance, classes) => {
  const bytes = seededBytes(variance);
  const drawn = Array.from({ length: howMany(1_000_000, 400_000) }, () => drawDiscreteGaussian(bytes, variance));
  const { value, df } = chiSquare(drawn, variance, classes);
  expect(df).toBeGreaterThan(5);
  expect(value).toBeLessThan(critical(df));
  // The test sees a variance that is wrong by three hundredths, and noise that is not centred at 0.
  expect(chiSquare(drawn, variance * 1.03, classes).value).toBeGreaterThan(critical(df));
  const moved = drawn.map((number) => (number === 0 ? 1 : number));
  if (variance < 100) expect(chiSquare(moved, variance, classes).value).toBeGreaterThan(critical(df));
});

test.each([1, 2, 3, 7, 256, 257, 65_535, 22_435])("numbers below %i are equally likely", (bound) => {
  const bytes = seededBytes(bound);
  const counts = Array<number>(Math.min(bound, 50)).fill(0);
  const draws = howMany(100_000, 20_000);
  for (let draw = 0; draw < draws; draw += 1) {
    const number = Number(drawBelow(bytes, BigInt(bound)));
    expect(number).toBeLessThan(bound);
    const place = Math.floor((number * counts.length) / bound);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const shares = counts.map((_, place) => {
    const edge = (at: number) => Math.ceil((at * bound) / counts.length);
    return (edge(place + 1) - edge(place)) / bound;
  });
  const value = counts.reduce((sum, count, place) => {
    const wanted = draws * (shares[place] ?? 0);
    return sum + (count - wanted) ** 2 / wanted;
  }, 0);
  expect(value).toBeLessThan(bound === 1 ? 1 : critical(counts.length - 1));
});
