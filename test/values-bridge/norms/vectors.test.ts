// Every worked case of norms, and of numbers of few people.
import { expect, test } from "vitest";
import { minPeople } from "../../../src/domain/groups/disclosure.ts";
import { computeMoments as varianceOf } from "../../../src/products/values-bridge/groups/agreement.ts";
import { toReliableChange } from "../../../src/products/values-bridge/norms/reliable-changes.ts";
import {
  computeDistribution,
  computePercentileHalfWidth,
  computeTScore,
  findRank,
} from "../../../src/products/values-bridge/norms/statistics/distribution.ts";
import {
  computeAlpha,
  computeAlphaInterval,
  computeCovarianceMatrix,
  computeDifferenceCovariances,
  computeItemRestCorrelations,
  computeMeasurementError,
  computeQuadraticForm,
  type Matrix,
  selectSubmatrix,
} from "../../../src/products/values-bridge/norms/statistics/reliability.ts";
import { createRounder } from "../../../src/products/values-bridge/scoring/exact.ts";
import { differences, vector } from "../quality/vectors.ts";

const ones = [1, 1, 1, 1];
const ideal = [0, 1, 2, 3];
const current = [4, 5, 6, 7];

function sumsOf(rows: readonly (readonly number[])[]) {
  const size = rows[0]?.length ?? 0;
  const sums = Array<number>(size).fill(0);
  const products = sums.map(() => Array<number>(size).fill(0));
  for (const row of rows) {
    row.forEach((one, i) => {
      sums[i] = (sums[i] ?? 0) + one;
      row.forEach((other, j) => {
        products[i]?.splice(j, 1, (products[i]?.[j] ?? 0) + one * other);
      });
    });
  }
  return { n: rows.length, sums, products };
}

function reliabilities(rows: readonly (readonly number[])[]) {
  const totals = sumsOf(rows);
  const { n, sums } = totals;
  const all = computeCovarianceMatrix(totals);
  const [c1, c2] = [selectSubmatrix(all, ideal), selectSubmatrix(all, current)];
  const gaps = computeDifferenceCovariances(all);
  const shared = computeQuadraticForm(all, [...ones, 0, 0, 0, 0], [0, 0, 0, 0, ...ones]);
  const [v1, v2] = [computeQuadraticForm(c1, ones, ones), computeQuadraticForm(c2, ones, ones)];
  const points = 100 / 24;
  const meanOf = (places: readonly number[]) => places.reduce((sum, i) => sum + (sums[i] ?? 0), 0) / n;
  const gapAlpha = computeAlpha(gaps);
  const ofLife = (matrix: Matrix) => {
    const alpha = computeAlpha(matrix) ?? Number.NaN;
    return { alpha, itemRest: computeItemRestCorrelations(matrix), feldt95: computeAlphaInterval(alpha, n, 4) };
  };
  const [one, two] = [ofLife(c1), ofLife(c2)];
  const [sdIdeal, sdGap] = [points * Math.sqrt(v1), points * Math.sqrt(computeQuadraticForm(gaps, ones, ones))];
  return {
    n,
    ideal: one,
    current: two,
    gapAlpha,
    idealCurrentR: shared / Math.sqrt(v1 * v2),
    meanIdeal: points * meanOf(ideal),
    sdIdeal,
    semIdealFromAlpha: computeMeasurementError(sdIdeal, one.alpha),
    meanGap: points * (meanOf(ideal) - meanOf(current)),
    sdGap,
    semGapFromAlpha: computeMeasurementError(sdGap, gapAlpha),
  };
}

test("P12: reliability, also once a person is erased", () => {
  type Expected = Record<"reliabilityWhole" | "reliabilityAfter", unknown>;
  const { input, expected } = vector<{ rows: number[][]; erase: number }, Expected>("P12");
  const remaining = input.rows.filter((_, place) => place !== input.erase);
  expect(differences(expected.reliabilityWhole, reliabilities(input.rows))).toEqual([]);
  expect(differences(expected.reliabilityAfter, reliabilities(remaining))).toEqual([]);
});

test("P14: percentiles, their half-widths, T scores and SEM", () => {
  interface Input {
    readonly histogram: number[];
    readonly sums: number[];
    readonly omega: number;
  }
  const { input, expected } = vector<Input, { n: number; mean: number; sd: number; sem: number; of: unknown[] }>("P14");
  const n = input.histogram.reduce((sum, count) => sum + count, 0);
  const distribution = computeDistribution(input.histogram, { from: -50 / 24, step: 100 / 24 });
  if (distribution === null) throw new Error("nobody");
  const of = input.sums.map((sum) => {
    const score = (100 / 24) * sum;
    const percentile = findRank(distribution, score).rank;
    return {
      n,
      percentile,
      halfWidth: computePercentileHalfWidth(percentile, n),
      tScore: computeTScore(score, distribution),
    };
  });
  const { mean, sd } = distribution;
  const sem = computeMeasurementError(sd, input.omega);
  expect(differences(expected, { n, mean, sd, sem, of })).toEqual([]);
});

test("P15: reliable change", () => {
  type Input = { basis: string; change: number; mean: number; sd: number; sem1: number; sem2: number };
  const { input, expected } = vector<Input[], unknown[]>("P15");
  const found = input.map(({ basis, change, mean, sd, sem1, sem2 }) =>
    basis === "retest" ? toReliableChange(change - mean, sd) : toReliableChange(change, Math.hypot(sem1, sem2)),
  );
  expect(differences(expected, found)).toEqual([]);
});
test("P19: numbers of a released group", () => {
  const { input, expected } = vector<number[][], unknown[]>("P19");
  const numbersOf = (members: readonly number[]) => {
    if (members.length < minPeople) return { n: null, mean: null, sd: null };
    const { mean, variance } = varianceOf(members);
    const [n, sd] = [members.length, createRounder(1)(Math.sqrt(variance))];
    return sd === 0 ? { n, mean: null, sd: null } : { n, mean: createRounder(1)(mean), sd };
  };
  expect(input.map(numbersOf)).toEqual(expected);
});
