// What a release tells of one person: next to nothing. The attack that recovered a person from norms of before, and
// others, against releases as they are made.
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { createNormLayout } from "../../../../src/products/values-bridge/norms/layout.ts";
import {
  addNoise,
  computeNoiseVariance,
  maxReleases,
  NormPool,
  unit,
  weightCounts,
} from "../../../../src/products/values-bridge/norms/pool/draw.ts";
import { countHistograms } from "../../../../src/products/values-bridge/norms/pool/histograms.ts";
import { NormSums } from "../../../../src/products/values-bridge/norms/sums.ts";
import { seededBytes } from "../../../support/values-bridge/seeded-bytes.ts";
import { answersOf, randomOf, somebody } from "../../../support/values-bridge/simulated-people.ts";
import { assessorOf, builtIn } from "../../quality/models.ts";

const layout = createNormLayout(assessorOf(builtIn).compiled);
const histogramCount = 60;
/** Centred scores in both lives. */
const scores = layout.values.flatMap((_, index) => [3 * index, 3 * index + 1]);

/** The bin of each histogram that a person is in. */
function binsOfPerson(answers: readonly (number | null)[]): number[] {
  const sums = new NormSums(layout);
  sums.add({ answers, completedAt: new Date(0), isHosted: false });
  return countHistograms(sums).map((counts) => counts.indexOf(1));
}

/** Somebody who answered everything. */
function somebodyComplete(random: () => number): (number | null)[] {
  return answersOf(builtIn, { ...somebody(19, 6, random), missing: [0, 0] }, random);
}

const zeros = () =>
  Array.from({ length: histogramCount }, (_, place) => Array<number>(place < histogramCount - 3 ? 26 : 20).fill(0));

function countsOf(people: readonly (readonly number[])[]): number[][] {
  const counts = zeros();
  for (const bins of people) {
    for (const [place, bin] of bins.entries()) {
      const row = counts[place];
      if (row !== undefined) row[bin] = (row[bin] ?? 0) + 1;
    }
  }
  return counts;
}

let population: number[][];
beforeAll(() => {
  const random = randomOf(20);
  population = Array.from({ length: 2500 }, () => binsOfPerson(somebodyComplete(random)));
});

describe("influence of one person", () => {
  test("one person raises one count of each histogram by one", () => {
    const random = randomOf(3);
    for (let person = 0; person < 50; person += 1) {
      const sums = new NormSums(layout);
      const contribution = { answers: somebodyComplete(random), completedAt: new Date(0), isHosted: true };
      sums.add(contribution);
      const found = countHistograms(sums);
      expect(found).toHaveLength(histogramCount);
      for (const counts of found) expect(counts.toSorted()).toEqual([...Array(counts.length - 1).fill(0), 1]);
    }
  });

  test("one person moves each histogram by at most sqrt(2) units, however many people the partner has", () => {
    const anyCounts = fc.array(fc.nat(400), { minLength: 2, maxLength: 26 });
    fc.assert(
      fc.property(
        anyCounts,
        fc.nat(25),
        fc.nat(25),
        fc.integer({ min: 900, max: 1100 }),
        (counts, from, to, around) => {
          const [i, j] = [from % counts.length, to % counts.length];
          const before = counts.map((count, bin) => count + (bin === i ? 1 : 0));
          const after = counts.map((count, bin) => count + (bin === j ? 1 : 0));
          const people = Math.max(
            around,
            before.reduce((sum, count) => sum + count, 0),
          );
          const [[one = []], [other = []]] = [weightCounts([before], people), weightCounts([after], people)] as const;
          const distance = Math.hypot(...one.map((count, bin) => count - (other[bin] ?? 0)));
          expect(distance).toBeLessThanOrEqual(Math.SQRT2 * unit + 1e-9);
          for (const count of one) expect(Number.isSafeInteger(count)).toBe(true);
        },
      ),
      { numRuns: 3000 },
    );
  });

  test("a release spends 1/8, since the noise is made for the influence of one person", () => {
    const squaredMove = histogramCount * 2 * unit ** 2;
    expect(squaredMove / (2 * computeNoiseVariance(histogramCount))).toBe(1 / 8);
  });
});

test("a partner with ten thousand people counts as a thousand", () => {
  const sums = new NormSums(layout);
  sums.add({ answers: somebodyComplete(randomOf(1)), completedAt: new Date(0), isHosted: false });
  const pool = new NormPool(layout);
  const histograms = countHistograms(sums);
  pool.add({ people: 10_000, histograms });
  pool.add({ people: 500, histograms });
  expect(pool.people).toBe(1500);
});

/** Within how many bins a guess counts as a hit. */
const near = 1;

/**
 * Guesses the centred scores of one person after another, each from a release of their own.
 * @param variance of the noise in the releases
 * @returns how many of the guesses hit: of one who knows everybody else, and of one who knows the release alone
 */
function attack(releases: number, variance: number): { attacker: number; guesser: number } {
  const counts = countsOf(population);
  const exact = weightCounts(counts, population.length / 3);
  let [attacker, guesser] = [0, 0];
  for (let person = 0; person < releases; person += 1) {
    const released = addNoise(exact, seededBytes(person), variance);
    for (const place of scores) {
      const truth = population[person]?.[place] ?? 0;
      const row = released[place] ?? [];
      const logPrior = row.map((count) => Math.log(Math.max(count, unit)));
      // Of a person in this bin rather than another, given all others (Neyman and Pearson).
      const logLikelihood = row.map((count, bin) => {
        const others = (counts[place]?.[bin] ?? 0) - (bin === truth ? 1 : 0);
        return (unit * (count - unit * others)) / variance;
      });
      const guessed = highest(logPrior.map((prior, bin) => prior + (logLikelihood[bin] ?? 0)));
      if (Math.abs(guessed - truth) <= near) attacker += 1;
      if (Math.abs(highest(logPrior) - truth) <= near) guesser += 1;
    }
  }
  return { attacker, guesser };
}

function highest(numbers: readonly number[]): number {
  return numbers.indexOf(Math.max(...numbers));
}

describe("guesses of an attacker who knows everybody else", () => {
  test("an attacker guesses the 38 scores of one person at most 1.25 times as often as by the release alone, over 200 releases", () => {
    const { attacker, guesser } = attack(200, computeNoiseVariance(histogramCount));
    expect(guesser).toBeGreaterThan(200 * 38 * 0.2);
    expect(attacker).toBeLessThanOrEqual(1.25 * guesser);
  });

  test("an attacker would nearly always be right if the noise were as small as a person", () => {
    const { attacker, guesser } = attack(20, unit ** 2 / 64);
    expect(attacker).toBeGreaterThan(0.99 * 20 * 38);
    expect(attacker).toBeGreaterThan(1.25 * guesser);
  });
});

describe("membership of a thousand people", () => {
  const guesses = 100;

  /**
   * The least epsilon that explains so many right guesses, with a confidence of 95 % (Steinke, Nasr and Jagielski 2023):
   * each guess is right with a probability of at most e^epsilon / (1 + e^epsilon).
   */
  function leastEpsilon(right: number): number {
    let [low, high] = [0.5, 1];
    for (let step = 0; step < 60; step += 1) {
      const middle = (low + high) / 2;
      if (binomialTail(right, middle) < 0.05) low = middle;
      else high = middle;
    }
    return Math.log(low / (1 - low));
  }

  /** The probability of so many right guesses or more. */
  function binomialTail(right: number, p: number): number {
    let [term, tail] = [(1 - p) ** guesses, 0];
    for (let k = 0; k <= guesses; k += 1) {
      if (k >= right) tail += term;
      term *= ((guesses - k) / (k + 1)) * (p / (1 - p));
    }
    return tail;
  }

  /** How many of the surest guesses are right, from one release. */
  function rightGuesses(variance: number): number {
    const random = randomOf(77);
    const somewhere = () => zeros().map((row) => Math.floor(random() * row.length));
    const canaries = Array.from({ length: 1000 }, () => {
      const [one, other, isOne] = [somewhere(), somewhere(), random() < 0.5];
      return { one, other, isOne };
    });
    const counts = countsOf([...population, ...canaries.map(({ one, other, isOne }) => (isOne ? one : other))]);
    const released = addNoise(weightCounts(counts, 999), seededBytes(8), variance);
    // Each round takes the guesses of the round before for the truth about all others.
    let scored = canaries.map(({ one, other, isOne }) => ({ one, other, isOne, share: 0.5, score: 0 }));
    for (let round = 0; round < 4; round += 1) {
      const expected = countsOf(population).map((row) => row.map((count) => unit * count));
      for (const { one, other, share } of scored) {
        for (const [bins, part] of [[one, share] as const, [other, 1 - share] as const]) {
          for (const [place, bin] of bins.entries()) {
            const row = expected[place];
            if (row !== undefined) row[bin] = (row[bin] ?? 0) + part * unit;
          }
        }
      }
      scored = scored.map((each) => {
        const surplus = (bins: readonly number[], own: number) =>
          bins.reduce((sum, bin, place) => {
            return sum + (released[place]?.[bin] ?? 0) - (expected[place]?.[bin] ?? 0) + own * unit;
          }, 0);
        const score = surplus(each.one, each.share) - surplus(each.other, 1 - each.share);
        return { ...each, score, share: score > 0 ? 1 : 0 };
      });
    }
    const ranked = scored.toSorted((a, b) => b.score - a.score);
    const right = ranked.slice(0, guesses / 2).filter(({ isOne }) => isOne).length;
    return right + ranked.slice(-guesses / 2).filter(({ isOne }) => !isOne).length;
  }

  test("people in a release cannot be told from people replaced better than an epsilon of 2.8 allows", () => {
    const right = rightGuesses(computeNoiseVariance(histogramCount));
    // Better than tossing coins: the test can see something.
    expect(right).toBeGreaterThan(60);
    expect(leastEpsilon(right)).toBeLessThan(2.8);
  });

  test("people in a release could be told from people replaced with a tenth of the noise", () => {
    expect(leastEpsilon(rightGuesses(Math.round(computeNoiseVariance(histogramCount) / 100)))).toBeGreaterThan(2.8);
  });
});

describe("figures on privacy in docs/trust.md and docs/comparison-values.md", () => {
  const rho = 1 / 8;
  const page = (name: string) => readFileSync(new URL(`../../../../docs/${name}.md`, import.meta.url), "utf8");

  test.each([
    ["one release", rho, "2.8"],
    ["all eight", maxReleases * rho, "8.5"],
  ])("the documents state epsilon of %s, rounded up", (name, spent, told) => {
    const epsilon = spent + 2 * Math.sqrt(spent * Math.log(1e6));
    expect((Math.ceil(10 * epsilon) / 10).toFixed(1)).toBe(told);
    expect(page("trust")).toContain(`| ${name} | ${spent} | ${told} |`);
    const german = told.replace(".", ",");
    for (const said of [`(${told}, 10⁻⁶)`, `(${german}; 10⁻⁶)`]) expect(page("comparison-values")).toContain(said);
  });

  test("the documents state how often the strongest opponent is right, who tests one set of answers against another", () => {
    // Both sets differ in every histogram: the sums are `sqrt(2 rho)` standard deviations of the noise apart.
    const right = (spent: number) => Math.round(100 * normalShareBelow(Math.sqrt(2 * spent) / 2));
    expect([right(rho), right(maxReleases * rho)]).toEqual([60, 76]);
    expect(page("trust")).toMatch(/60 % of cases, by all eight in 76 %; guessing is right in 50 %/);
    expect(page("comparison-values")).toMatch(/in 60 of 100 cases after one publication and in 76 after eight/);
    expect(page("comparison-values")).toMatch(/in 60 von 100 Fällen, nach acht in 76/);
  });
});

/** The standard normal distribution function, by Simpson's rule. */
function normalShareBelow(z: number): number {
  const steps = 200;
  const density = (x: number) => Math.exp(-(x ** 2) / 2) / Math.sqrt(2 * Math.PI);
  const weights = Array.from({ length: steps + 1 }, (_, i) => (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2));
  return 0.5 + (z / steps / 3) * weights.reduce((sum, weight, i) => sum + weight * density((i * z) / steps), 0);
}
