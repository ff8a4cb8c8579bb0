// What releases say of many people: within the half-width that is told.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createNormLayout, findBin } from "../../../../src/products/values-bridge/norms/layout.ts";
import {
  addNoise,
  computeNoiseVariance,
  computePooledHalfWidth,
  NormPool,
  type PartnerCounts,
  unit,
} from "../../../../src/products/values-bridge/norms/pool/draw.ts";
import { countHistograms, type PooledBins } from "../../../../src/products/values-bridge/norms/pool/histograms.ts";
import {
  computePooledNumbers,
  estimateDistribution,
} from "../../../../src/products/values-bridge/norms/pool/pooled-numbers.ts";
import { findRank } from "../../../../src/products/values-bridge/norms/statistics/distribution.ts";
import { NormSums } from "../../../../src/products/values-bridge/norms/sums.ts";
import { seededBytes } from "../../../support/values-bridge/seeded-bytes.ts";
import { normal, randomOf } from "../../../support/values-bridge/simulated-people.ts";
import { assessorOf, builtIn, withFirstValues } from "../../quality/models.ts";

const layout = createNormLayout(assessorOf(builtIn).compiled);
const noise = computeNoiseVariance(60) / unit ** 2;

interface Population {
  readonly bins: PooledBins;
  readonly mean: number;
  readonly sd: number;
}

const populations: readonly (readonly [string, Population])[] = [
  ["centred scores", { bins: { from: -52, step: 4, count: 26, hasTails: true }, mean: 4, sd: 15 }],
  ["centred scores that hardly differ", { bins: { from: -52, step: 4, count: 26, hasTails: true }, mean: -11, sd: 9 }],
  ["gaps", { bins: { from: -104, step: 8, count: 26, hasTails: true }, mean: 7, sd: 19 }],
  ["totals", { bins: { from: 0, step: 5, count: 20, hasTails: false }, mean: 35, sd: 9 }],
];

/** Percentile rank in the whole population: Abramowitz and Stegun 7.1.26, to 1.5e-7. */
function trueRank({ mean, sd }: Population, x: number): number {
  const z = Math.abs(x - mean) / (sd * Math.SQRT2);
  const t = 1 / (1 + 0.3275911 * z);
  const series =
    t *
    (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))) *
    Math.exp(-z * z);
  return 50 * (x < mean ? series : 2 - series);
}

test.each(populations)(
  "percentiles of %s are within the reported half-width in 93 percent of 500 pools",
  (_, population) => {
    const random = randomOf(population.bins.from + 1000);
    let within = 0;
    for (let pool = 0; pool < 500; pool += 1) {
      const people = pool % 2 === 0 ? 2500 : 6000;
      const counts = Array<number>(population.bins.count).fill(0);
      for (let person = 0; person < people; person += 1) {
        const bin = findBin(population.bins, population.mean + population.sd * normal(random));
        counts[bin] = (counts[bin] ?? 0) + unit;
      }
      const [released = []] = addNoise([counts], seededBytes(pool), computeNoiseVariance(60));
      const distribution = estimateDistribution(
        released.map((count) => count / unit),
        population.bins,
        people,
        noise,
      );
      const x = population.mean + population.sd * normal(random);
      const { rank, halfWidth } = findRank(distribution, x);
      if (Math.abs(rank - trueRank(population, x)) <= halfWidth) within += 1;
    }
    expect(within / 500).toBeGreaterThanOrEqual(0.93);
    // Wider than needed would be no merit.
    expect(within / 500).toBeLessThan(0.995);
  },
);

test("the half-widths of docs/trust.md are those that releases use", () => {
  const [, table = ""] = readFileSync("docs/trust.md", "utf8").split(
    "| People | half-width at the median, of sampling |",
  );
  const rows = [...table.matchAll(/^\| ([\d,]+) \| ([\d.]+) \| ([\d.]+) \|$/gm)].slice(0, 4);
  expect(rows.map(([, people = ""]) => people)).toEqual(["2,500", "5,000", "10,000", "50,000"]);
  for (const [, people = "", ...told] of rows) {
    const n = Number(people.replace(",", ""));
    const widths = [0, (noise * 26) / 4].map((each) => computePooledHalfWidth(50, n, each).toFixed(1));
    expect(told, people).toEqual(widths);
  }
});

/** What people add who all answer alike. */
function alike(people: number, of = layout): PartnerCounts {
  const sums = new NormSums(of);
  const answers = Array.from(
    { length: of.values.flatMap(({ items }) => items).length },
    (_, place) => 1 + ((place * 5) % 7),
  );
  sums.add({ answers, completedAt: new Date(0), isHosted: false });
  return { people, histograms: countHistograms(sums).map((counts) => counts.map((count) => people * count)) };
}

test("releases are made from some 2,400 people on, counted by their weights", () => {
  const pool = new NormPool(layout);
  expect(pool.hasEnoughPeople()).toBe(false);
  pool.add(alike(50_000));
  pool.add(alike(1000));
  pool.add(alike(300));
  expect([pool.people, pool.hasEnoughPeople()]).toEqual([2300, false]);
  pool.add(alike(100));
  expect([pool.people, pool.hasEnoughPeople()]).toEqual([2400, true]);
});

test.each([
  [9, false],
  [10, true],
])("a version of %i values has a release: %s", (count, expected) => {
  const few = createNormLayout(assessorOf(withFirstValues(count)).compiled);
  const pool = new NormPool(few);
  for (let partner = 0; partner < 4; partner += 1) pool.add(alike(1000, few));
  expect([pool.people, pool.hasEnoughPeople()]).toEqual([4000, expected]);
});

test("mean, standard deviation, ranks and number of people are those of the people, but for the noise", () => {
  const pool = new NormPool(layout);
  for (let partner = 0; partner < 30; partner += 1) pool.add(alike(1000));
  const { n, values, totalGap } = computePooledNumbers(layout, pool.draw(seededBytes(1)));
  expect(Math.abs(n - 30_000)).toBeLessThan(60);
  const { ideal } = values[0] ?? { ideal: totalGap };
  expect([ideal.from, ideal.step, ideal.percentiles.length]).toEqual([-48, 4, 25]);
  expect(ideal.percentiles).toEqual(ideal.percentiles.toSorted((a, b) => a - b));
  // All are in one bin, whose middle is the mean.
  const bin = ideal.percentiles.findIndex((rank) => rank > 50);
  expect(Math.abs(ideal.mean - (ideal.from + ideal.step * (bin - 0.5)))).toBeLessThan(0.5);
  expect(ideal.sd).toBeLessThan(3);
  expect(ideal.percentiles.every((rank) => rank < 1 || rank > 99)).toBe(true);
});
