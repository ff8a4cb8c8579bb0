// Group numbers: what they say, and what they hold back.
import { expect, test } from "vitest";
import { arrangeQuestions, toQualityModel } from "../../../src/products/values-bridge/definition/questions.ts";
import {
  computeMeanHalfWidth,
  computeMoments,
  computeRwg,
} from "../../../src/products/values-bridge/groups/agreement.ts";
import { type Member, readMember } from "../../../src/products/values-bridge/groups/member.ts";
import { summarizeGroup } from "../../../src/products/values-bridge/groups/summarize.ts";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import { readSession } from "../../../src/products/values-bridge/quality/read-answers.ts";
import { assessResponse, isUsable } from "../../../src/products/values-bridge/quality/response.ts";
import { findCriticalT } from "../../../src/products/values-bridge/quality/statistics.ts";
import { createRounder } from "../../../src/products/values-bridge/scoring/exact.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { answersOf, randomOf, somebody } from "../../support/values-bridge/simulated-people.ts";

const definition = longForm();
const { compiled } = compileQuality(toQualityModel(definition, arrangeQuestions(definition, 1)));
const { valueIds } = compiled.scoring;

/** Answers of attentive people, the same for the same seed. */
function answers(seed: number): (number | null)[] {
  const random = randomOf(seed);
  return answersOf(definition, somebody(valueIds.length, compiled.scale.span, random), random);
}

function members(count: number, from = 1): Member[] {
  const people: Member[] = [];
  for (let seed = from; people.length < count; seed += 1) {
    const member = readMember(compiled, answers(seed), null);
    if (member !== null) people.push(member);
  }
  return people;
}

const summarize = (some: readonly Member[], hasSpread = true) => summarizeGroup(compiled, some, hasSpread);

/** Answers of somebody who left out nothing. */
function wholeSheet(seed: number): (number | null)[] {
  const random = randomOf(seed);
  const person = { ...somebody(valueIds.length, compiled.scale.span, random), missing: [0, 0] as const };
  return answersOf(definition, person, random);
}

const measures = ["ideal", "current", "gap"] as const;
const meanOf = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;

test("a member's scores are those of results, centred scores add up to 0, and gaps are their differences", () => {
  const sheets = Array.from({ length: 20 }, (_, index) => wholeSheet(index + 1));
  const read = sheets.flatMap((sheet) => {
    const member = readMember(compiled, sheet, null);
    return member === null ? [] : [{ sheet, member }];
  });
  expect(read.length).toBeGreaterThan(5);
  for (const { sheet, member } of read) {
    for (const name of ["ideal", "current"] as const) expect(meanOf(member.measures[name])).toBeCloseTo(0, 9);
    const { scores, evaluation } = readSession(compiled, sheet);
    expect(member.scores.ideal).toEqual(scores.ideal.map((score) => 100 * (score ?? Number.NaN)));
    expect(member.scores.current).toEqual(scores.current.map((score) => 100 * (score ?? Number.NaN)));
    evaluation.gaps.forEach((gap, index) => {
      expect(member.measures.gap[index]).toBeCloseTo(gap?.gap ?? Number.NaN, 9);
    });
  }
});

test.each(["ideal", "current"] as const)("a person who left out a value in the %s life alone is no member", (life) => {
  const sheet = wholeSheet(1);
  const { questions } = compiled.scoring.model;
  const isLeftOut = (index: number) => {
    const question = questions[index];
    return question?.valueId === valueIds[0] && question?.lifeContext === life;
  };
  expect(readMember(compiled, sheet, null)).not.toBeNull();
  const partial = sheet.map((answer, index) => (isLeftOut(index) ? null : answer));
  expect(isUsable(assessResponse(compiled, readSession(compiled, partial), null).grade)).toBe(true);
  expect(readMember(compiled, partial, null)).toBeNull();
});

const [round1, round2] = [createRounder(1), createRounder(2)];

const step = 100 / compiled.scale.span;
/** Means of the scores in a life, rounded as published ones. */
function roundedMeans(some: readonly Member[], life: "ideal" | "current", width: number): number[] {
  return valueIds.map((_, index) => {
    return Math.round(meanOf(some.map(({ scores }) => scores[life][index] ?? 0)) / width) * width;
  });
}

test.each([
  [5, "half", 2, false],
  [12, "half", 2, false],
  [12, "quarter", 4, true],
])("all means of %i members come from two a value, which are rounded to %s steps", (count, _name, parts, hasSpread) => {
  const some = members(count);
  const numbers = summarize(some, hasSpread);
  const [wanted, lived] = [roundedMeans(some, "ideal", step / parts), roundedMeans(some, "current", step / parts)];
  numbers.values.forEach(({ ideal, current, gap }, index) => {
    const [want = 0, life = 0] = [wanted[index], lived[index]];
    expect(ideal?.mean).toBe(round1(want - meanOf(wanted)));
    expect(current?.mean).toBe(round1(life - meanOf(lived)));
    expect(gap?.mean).toBe(round1(want - life));
  });
  const floor = compiled.scoring.model.constants.importanceFloor;
  const weights = wanted.map((want) => floor + want / 100);
  const weighted = weights.map((weight, index) => weight * Math.abs((wanted[index] ?? 0) - (lived[index] ?? 0)));
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0);
  expect(numbers.totalGap).toBe(round1(sum(weighted) / sum(weights)));
  expect(numbers.harmony).toBeGreaterThan(0);
  expect(numbers.conflict).toBeGreaterThan(0);
});

test("spread, to a quarter step, gives intervals and agreement, by formulas that R has", () => {
  const some = members(10);
  const numbers = summarize(some);
  const range = { ideal: 100, current: 100, gap: 200 };
  const quarter = step / 4;
  const widths = { ideal: [quarter], current: [quarter], gap: [quarter, quarter] };
  const [wanted, lived] = [roundedMeans(some, "ideal", quarter), roundedMeans(some, "current", quarter)];
  const means = {
    ideal: wanted.map((want) => want - meanOf(wanted)),
    current: lived.map((life) => life - meanOf(lived)),
    gap: wanted.map((want, index) => want - (lived[index] ?? 0)),
  };
  numbers.values.forEach((value, index) => {
    for (const name of measures) {
      const all = some.flatMap((member) => member.measures[name][index] ?? []);
      const { variance } = computeMoments(all);
      const sd = Math.round(Math.sqrt(variance) / quarter) * quarter;
      const half = computeMeanHalfWidth(sd ** 2, 10, findCriticalT(9), widths[name]);
      const mean = means[name][index] ?? Number.NaN;
      expect(value[name]).toEqual({
        mean: round1(mean),
        sd: round1(sd),
        interval: [round1(mean - half), round1(mean + half)],
        rwg: round2(computeRwg(sd ** 2, range[name])),
      });
    }
  });
});

test("the order of members does not change the numbers", () => {
  const some = members(12);
  expect(summarize(some.toReversed())).toEqual(summarize(some));
});

test("answers that are graded fail, and a value without a score, make no member", () => {
  const good = answers(1);
  expect(readMember(compiled, good, null)).not.toBeNull();
  const run = good.map((answer, index) => (index < 20 ? 4 : answer));
  expect(readMember(compiled, run, null)).toBeNull();
  const without = good.map((answer, index) =>
    compiled.scoring.model.questions[index]?.valueId === valueIds[0] ? null : answer,
  );
  expect(readMember(compiled, without, null)).toBeNull();
});

test("a group whose members are all alike gets no value and no total", () => {
  const [member] = members(1);
  const numbers = summarize(Array.from({ length: 9 }, () => member ?? []).flat());
  expect(numbers.values.every(({ uniform, ideal }) => uniform && ideal === null)).toBe(true);
  expect(numbers).toMatchObject({ totalGap: null, harmony: null, conflict: null });
});

test("a value in which all members are alike is withheld together with a second one, since centred means add up to 0", () => {
  const some = members(12).map(({ scores, measures: own }) => ({
    scores,
    measures: { ...own, ideal: own.ideal.map((each, i) => (i === 3 ? 12 : each)) },
  }));
  const spreadOf = (of: Member[], index: number) => {
    const value = summarize(of).values[index];
    return Math.min(...measures.map((name) => value?.[name]?.sd ?? 0));
  };
  const spreads = valueIds.map((valueId, index) => ({ valueId, spread: spreadOf(members(12), index) }));
  const [next] = spreads.filter((_, index) => index !== 3).toSorted((one, other) => one.spread - other.spread);
  const numbers = summarize(some);
  const withheld = numbers.values.filter(({ uniform }) => uniform).map(({ valueId }) => valueId);
  const expected = [valueIds[3] ?? 0, next?.valueId ?? 0];
  expect(withheld).toEqual(expected.toSorted((one, other) => one - other));
});

test("without spread there are means alone", () => {
  for (const { ideal, current, gap } of summarize(members(12), false).values) {
    for (const measure of [ideal, current, gap]) {
      expect(measure).toEqual({ mean: expect.any(Number), sd: null, interval: null, rwg: null });
    }
  }
});
