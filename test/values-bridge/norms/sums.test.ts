// What people add up to: whole numbers, exact in any order.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createNormLayout } from "../../../src/products/values-bridge/norms/layout.ts";
import { computeNormNumbers, computeRetestNumbers } from "../../../src/products/values-bridge/norms/numbers.ts";
import { computeStandings } from "../../../src/products/values-bridge/norms/standing.ts";
import { findRank } from "../../../src/products/values-bridge/norms/statistics/distribution.ts";
import { type Contribution, NormSums } from "../../../src/products/values-bridge/norms/sums.ts";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import { questionnaire } from "../../support/values-bridge/scoring-model.ts";
import { assessorOf, builtIn, modelOf, withFirstValues } from "../quality/models.ts";

const layout = createNormLayout(assessorOf(builtIn).compiled);
const heavy = questionnaire().map((question, i) => ({ ...question, omegaWeight: 1 + (i % 4) * 0.37 }));
const unequal = createNormLayout(compileQuality(modelOf(heavy)).compiled);

const anyAnswers = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 152, maxLength: 152 });
const anyPeople = fc.array(anyAnswers, { minLength: 2, maxLength: 12 });

/** A session of a month that the answers choose. */
function completed(answers: Contribution["answers"]): Contribution {
  return { answers, completedAt: new Date(Date.UTC(2026, answers[0] ?? 0, 1)), isHosted: answers[1] === 1 };
}

function summed(of: typeof layout, people: readonly number[][]): NormSums {
  const sums = new NormSums(of);
  for (const answers of people) sums.add(completed(answers));
  return sums;
}

test.each([
  ["equal", layout],
  ["unequal", unequal],
])("people with %s weights add up to the same whole numbers in any order", (_, of) => {
  fc.assert(
    fc.property(anyPeople, fc.nat(11), (people, at) => {
      expect(summed(of, [...people.slice(at), ...people.slice(0, at)])).toEqual(summed(of, people));
    }),
    { numRuns: 30 },
  );
});

test("an unanswered statement is refused before anything is counted", () => {
  const [answers = []] = fc.sample(anyAnswers, { numRuns: 1, seed: 3 });
  const sums = new NormSums(layout);
  expect(() => sums.add(completed([...answers.slice(0, -1), null]))).toThrow(RangeError);
  expect(sums).toEqual(new NormSums(layout));
});

test("numbers of people are those of their scores, counted independently", () => {
  const people = fc.sample(anyAnswers, { numRuns: 40, seed: 5 });
  const { scorer } = { scorer: assessorOf(builtIn) };
  const numbers = computeNormNumbers(summed(layout, people));
  const scores = people.map((answers) => {
    const score = scorer.assess(answers, null).error?.values[0]?.ideal?.score;
    return score ?? 100 * handScore(answers, 0);
  });
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const sd = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / (scores.length - 1));
  expect(numbers.values[0]?.ideal.mean).toBeCloseTo(mean, 1);
  expect(numbers.values[0]?.ideal.sd).toBeCloseTo(sd, 1);
  const [person = []] = people;
  const standing = computeStandings(layout, numbers, person, [])[0]?.gap;
  const gapOf = (answers: readonly number[]) => handScore(answers, 0) - handScore(answers, 0, 4);
  const own = gapOf(person);
  const below = people.filter((answers) => gapOf(answers) < own - 1e-9).length;
  const equal = people.filter((answers) => Math.abs(gapOf(answers) - own) < 1e-9).length;
  const rank = Math.round((100 * (below + equal / 2)) / people.length);
  expect(standing?.percentile).toBe(Math.min(99, Math.max(1, rank)));
});

/** Scores of a person in the ideal life, less their mean. */
function handCentred(answers: readonly number[]): number[] {
  const scores = layout.values.map((_, index) => 100 * handScore(answers, index));
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  return scores.map((score) => score - mean);
}

describe("centred scores", () => {
  const people = fc.sample(anyAnswers, { numRuns: 200, seed: 11 });
  const numbers = computeNormNumbers(summed(layout, people));

  test("centred scores are counted in bins of two points, and have the ranks counted independently to within a bin", () => {
    const { distribution: centred = null } = numbers.values[3]?.ideal ?? {};
    if (centred === null) throw new Error("nothing is centred");
    expect([centred.from, centred.step, centred.percentiles.length]).toEqual([-100, 2, 101]);
    const own = people.map((answers) => handCentred(answers)[3] ?? Number.NaN);
    for (const x of [-20, -4, 0, 2, 14]) {
      const below = own.filter((score) => score < x - 1e-9).length;
      expect(findRank(centred, x).rank).toBeCloseTo((100 * below) / people.length, 1);
    }
  });

  test("the range of a place holds the places of both ends of the person's error, and is at least that of the norms", () => {
    const error = { standardError: 6, certainty: null, reported: 0 };
    for (const answers of people.slice(0, 40)) {
      const centred = handCentred(answers)[3] ?? Number.NaN;
      const own = { valueId: 4, ideal: { ...error, score: 0, centred, interval: null, rankRange: null, tiedWith: [] } };
      const among = (errors: Parameters<typeof computeStandings>[3]) =>
        computeStandings(layout, numbers, answers, errors)[3]?.ideal;
      expect(among([])?.percentileRange).toBeNull();
      const { percentileRange, percentile = 0, halfWidth = 0 } = among([{ ...own, current: null, gap: null }]) ?? {};
      const [lowest = 0, highest = 0] = percentileRange ?? [];
      const distribution = numbers.values[3]?.ideal.distribution;
      if (!distribution) throw new Error("nothing is centred");
      expect(lowest).toBeLessThanOrEqual(Math.max(1, Math.round(findRank(distribution, centred - 1.96 * 6).rank)));
      expect(highest).toBeGreaterThanOrEqual(Math.min(99, Math.round(findRank(distribution, centred + 1.96 * 6).rank)));
      expect(lowest).toBeLessThanOrEqual(Math.max(1, percentile - halfWidth + 1));
      expect(highest).toBeGreaterThanOrEqual(Math.min(99, percentile + halfWidth - 1));
    }
  });

  test("percentiles do not depend on whether a person rates everything higher", () => {
    // Each keyed point one higher: a person who says yes to every value, if the scale leaves room.
    const keyed = (answers: readonly number[], points: number) =>
      answers.map((answer, position) => {
        const item = items.find((each) => each.position === position);
        return item?.inverse === true ? answer - points : answer + points;
      });
    const items = layout.values.flatMap((value) => value.items);
    const middling = fc.sample(fc.array(fc.integer({ min: 3, max: 5 }), { minLength: 152, maxLength: 152 }), {
      numRuns: 20,
      seed: 7,
    });
    for (const answers of middling) {
      const before = computeStandings(layout, numbers, answers, []);
      const after = computeStandings(layout, numbers, keyed(answers, 1), []);
      expect(after.map(({ ideal }) => ideal?.percentile)).toEqual(before.map(({ ideal }) => ideal?.percentile));
    }
  });
});

test("the sample is described: the first and the last month, and the share that was hosted", () => {
  const answers = (month: number, hosted: number) => [
    month,
    hosted,
    ...Array.from({ length: 150 }, (_, i) => 1 + (i % 7)),
  ];
  const people = [answers(1, 1), answers(6, 2), answers(3, 1), answers(2, 7)];
  expect(computeNormNumbers(summed(layout, people)).sample).toEqual({
    firstMonth: "2026-02",
    lastMonth: "2026-07",
    hostedShare: 0.5,
  });
});

test("no reliability is reported below 100 people", () => {
  const people = fc.sample(anyAnswers, { numRuns: 100, seed: 2 });
  const reliabilityOf = (some: readonly number[][]) => {
    const { alpha, standardError, statements } = computeNormNumbers(summed(layout, some)).values[0]?.ideal ?? {};
    return [alpha, standardError, statements?.[0]?.itemRest];
  };
  expect(reliabilityOf(people.slice(1))).toEqual([null, null, null]);
  expect(reliabilityOf(people)).not.toContain(null);
});

/** The exact score of a value in a life. @param from where the statements of the life begin: those of the ideal one are first */
function handScore(answers: readonly number[], index: number, from = 0): number {
  const items = layout.values[index]?.items.slice(from, from + 4) ?? [];
  const points = items.map(({ position, inverse, min, max }) => {
    const answer = answers[position] ?? Number.NaN;
    return inverse ? max - answer : answer - min;
  });
  return points.reduce((sum, point) => sum + point, 0) / (6 * points.length);
}

test("changes of pairs are in points, second minus first", () => {
  const pairs = fc.sample(fc.tuple(anyAnswers, anyAnswers), { numRuns: 20, seed: 9 });
  const sums = new NormSums(layout);
  for (const pair of pairs) sums.addPair(...pair);
  const changes = pairs.map(([first, second]) => 100 * (handScore(second, 2) - handScore(first, 2)));
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const sd = Math.sqrt(changes.reduce((sum, change) => sum + (change - mean) ** 2, 0) / (changes.length - 1));
  const found = computeRetestNumbers(sums).values[2]?.ideal;
  expect(found?.mean).toBeCloseTo(mean, 1);
  expect(found?.sd).toBeCloseTo(sd, 1);
});

const single = questionnaire({ omegaWeights: heavy.slice(76).map((_, i) => (i % 4 === 0 ? 1 : 0)) });

test.each([
  ["unequal weights", unequal],
  ["one statement a value", createNormLayout(compileQuality(modelOf(single)).compiled)],
  ["nine values", createNormLayout(assessorOf(withFirstValues(9)).compiled)],
])("people with %s have norms, and alike ones too", (name, of) => {
  const sheets = fc
    .sample(anyAnswers, { numRuns: 100, seed: 4 })
    .map((sheet) => sheet.slice(0, of.compiled.scoring.model.questions.length));
  const { ideal, gap } = computeNormNumbers(summed(of, sheets)).values[0] ?? {};
  expect(ideal?.alpha === null).toBe(name === "one statement a value");
  expect(ideal?.distribution === null).toBe(name === "nine values");
  expect(gap?.distribution?.percentiles.at(-1)).toBe(100);
  const [one = []] = sheets;
  const alike = computeNormNumbers(summed(of, Array(100).fill(one)));
  expect(alike.values.every((value) => value.gap.sd === 0 && value.gap.alpha === null)).toBe(true);
  expect(computeStandings(of, alike, one, []).map((value) => value.gap?.percentile)).toEqual(of.values.map(() => 50));
});
