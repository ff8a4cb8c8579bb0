// Group numbers: what they say, and what they hold back.
import { expect, test } from "vitest";
import { arrangeQuestions, qualityModel } from "../../../src/products/values-bridge/definition/questions.ts";
import {
  criticalT,
  icc1,
  meanHalfWidth,
  momentsOf,
  rwg,
} from "../../../src/products/values-bridge/groups/agreement.ts";
import { type Member, readMember } from "../../../src/products/values-bridge/groups/member.ts";
import { summariseGroup, summaryOf } from "../../../src/products/values-bridge/groups/summarise.ts";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import { isUsable, judgeResponse } from "../../../src/products/values-bridge/quality/response.ts";
import { readSession } from "../../../src/products/values-bridge/quality/sheet.ts";
import { roundingTo } from "../../../src/products/values-bridge/scoring/exact.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { answersOf, randomOf, somebody } from "../../support/values-bridge/simulated-people.ts";

const definition = longForm();
const { compiled } = compileQuality(qualityModel(definition, arrangeQuestions(definition, 1)));
const { valueIds } = compiled.scoring;

/** Answers of attentive people, the same for the same seed. */
function answers(seed: number): (number | null)[] {
  const random = randomOf(seed);
  return answersOf(definition, somebody(valueIds.length, compiled.scale.span, random), random);
}

function members(count: number, from = 1): Member[] {
  const found: Member[] = [];
  for (let seed = from; found.length < count; seed += 1) {
    const member = readMember(compiled, answers(seed), null);
    if (member !== null) found.push(member);
  }
  return found;
}

/** Members who differ in one archetype and in nothing that counts are told apart by it. */
function withArchetypes(ids: readonly number[]): Member[] {
  return members(ids.length).map((member, index) => ({ ...member, archetypeId: ids[index] ?? 0 }));
}

const summarise = (some: readonly Member[]) => summariseGroup(valueIds, compiled.scale.span, some);

const archetypesOf = (ids: readonly number[]) => summarise(withArchetypes(ids))?.archetypes;

/** Answers of somebody who left out nothing. */
function wholeSheet(seed: number): (number | null)[] {
  const random = randomOf(seed);
  const person = { ...somebody(valueIds.length, compiled.scale.span, random), missing: [0, 0] as const };
  return answersOf(definition, person, random);
}

const measures = ["ideal", "current", "gap"] as const;
const meanOf = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;

test("the mean of a member's ratings of a value is its score, in both lives and in the gap", () => {
  const sheets = Array.from({ length: 20 }, (_, index) => wholeSheet(index + 1));
  const read = sheets.flatMap((sheet) => {
    const member = readMember(compiled, sheet, null);
    return member === null ? [] : [{ sheet, member }];
  });
  expect(read.length).toBeGreaterThan(5);
  for (const { sheet, member } of read) {
    for (const name of measures) {
      for (const { score, statements } of member[name]) expect(meanOf(statements)).toBeCloseTo(score, 9);
    }
    for (const name of ["ideal", "current"] as const) {
      expect(meanOf(member[name].map(({ score }) => score))).toBeCloseTo(0, 9);
    }
    const { totalGap, harmony, conflict } = readSession(compiled, sheet).evaluation;
    expect(totalGap?.total).toBeGreaterThan(0);
    expect(member).toMatchObject({ totalGap: totalGap?.total, harmony: harmony.total, conflict: conflict.total });
  }
});

test.each(["ideal", "current"] as const)(
  "a statement without an answer for the %s life counts neither for it nor for the gap",
  (life) => {
    const sheet = wholeSheet(1);
    const { questions } = compiled.scoring.model;
    const first = questions.findIndex(({ valueId, lifeContext }) => valueId === valueIds[0] && lifeContext === life);
    const countsOf = (answered: readonly (number | null)[]) => {
      const member = readMember(compiled, answered, null);
      return measures.map((name) => member?.[name][0]?.statements.length ?? 0);
    };
    const [ideal = 0, current = 0, gap = 0] = countsOf(sheet);
    expect(gap).toBeGreaterThan(0);
    const left = { ideal: [ideal - 1, current, gap - 1], current: [ideal, current - 1, gap - 1] };
    expect(countsOf(sheet.map((answer, index) => (index === first ? null : answer)))).toEqual(left[life]);
  },
);

test.each(["ideal", "current"] as const)("a person who left out a value in the %s life alone is no member", (life) => {
  const sheet = wholeSheet(1);
  const { questions } = compiled.scoring.model;
  const isLeftOut = (index: number) => {
    const question = questions[index];
    return question?.valueId === valueIds[0] && question?.lifeContext === life;
  };
  expect(readMember(compiled, sheet, null)).not.toBeNull();
  const partial = sheet.map((answer, index) => (isLeftOut(index) ? null : answer));
  expect(isUsable(judgeResponse(compiled, readSession(compiled, partial), null).grade)).toBe(true);
  expect(readMember(compiled, partial, null)).toBeNull();
});

const [round1, round2] = [roundingTo(1), roundingTo(2)];

test("intervals, agreement and ICC(1) are those of the members' scores and statements, by formulas that R has", () => {
  const some = members(10);
  const numbers = summarise(some);
  const range = { ideal: 100, current: 100, gap: 200 };
  numbers?.values.forEach((value, index) => {
    for (const name of measures) {
      const all = some.flatMap((member) => member[name][index] ?? []);
      const { mean, variance } = momentsOf(all.map(({ score }) => score));
      const half = meanHalfWidth(variance, 10, criticalT(10));
      expect(value[name]).toEqual({
        mean: round1(mean),
        sd: round1(Math.sqrt(variance)),
        interval: [round1(mean - half), round1(mean + half)],
        rwg: round2(rwg(variance, range[name])),
        icc1: round2(icc1(all.map(({ statements }) => statements)) ?? Number.NaN),
      });
    }
  });
});

test("ICC(1) is of members whose statements are known, and null where no statement is beside another", () => {
  const iccOf = (some: readonly Member[]) => summarise(some)?.values[0]?.gap?.icc1;
  const withStatements = (member: Member, statements: readonly number[]) => ({
    ...member,
    gap: member.gap.map((each, index) => (index === 0 ? { ...each, statements } : each)),
  });
  const [unknown, ...known] = members(11);
  if (unknown === undefined) throw new Error("there are no members");
  const expected = icc1(known.flatMap((member) => [member.gap[0]?.statements ?? []]));
  expect(iccOf([withStatements(unknown, []), ...known])).toBe(round2(expected ?? Number.NaN));
  const few = known.map((member, index) => (index < 4 ? member : withStatements(member, [])));
  expect(iccOf([unknown, ...few])).not.toBeNull();
  expect(iccOf([withStatements(unknown, []), ...few])).toBeNull();
  expect(iccOf(known.map((member, index) => withStatements(member, [index])))).toBeNull();
});

test("a total is that of all members: if one has no total, neither has the group", () => {
  const some = members(10);
  const names = ["totalGap", "harmony", "conflict"] as const;
  for (const name of names) {
    const expected = summaryOf(
      some.map((member) => member[name] ?? Number.NaN),
      criticalT(10),
    );
    expect(expected?.sd).toBeGreaterThan(0);
    expect(summarise(some)?.totals[name]).toEqual(expected);
    const less = some.map((member, index) => (index === 0 ? { ...member, [name]: null } : member));
    const { [name]: none, ...others } = summarise(less)?.totals ?? {};
    expect([none, Object.values(others).includes(null)]).toEqual([null, false]);
  }
});

test("the order of members does not change the numbers", () => {
  const some = members(12);
  expect(summarise(some.toReversed())).toEqual(summarise(some));
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

test("a group whose members are all alike gets no value, no total and no archetype", () => {
  const [member] = members(1);
  const numbers = summarise(Array.from({ length: 9 }, () => member ?? []).flat());
  expect(numbers?.values.every(({ withheld, ideal }) => withheld === "uniform" && ideal === null)).toBe(true);
  expect(numbers?.totals).toEqual({ totalGap: null, harmony: null, conflict: null });
  expect(numbers?.archetypes).toEqual([]);
});

test("a value in which all members are alike is withheld together with a second one, since centred means add up to 0", () => {
  const alike = { score: 12, statements: [12, 12] };
  const some = members(12).map((member) => ({
    ...member,
    ideal: member.ideal.map((each, i) => (i === 3 ? alike : each)),
  }));
  const spreadOf = (of: Member[], index: number) => {
    const value = summarise(of)?.values[index];
    return Math.min(...measures.map((name) => value?.[name]?.sd ?? 0));
  };
  const spreads = valueIds.map((valueId, index) => ({ valueId, spread: spreadOf(members(12), index) }));
  const [next] = spreads.filter((_, index) => index !== 3).toSorted((one, other) => one.spread - other.spread);
  const numbers = summarise(some);
  const withheld = numbers?.values.filter((value) => value.withheld !== null).map(({ valueId }) => valueId);
  const expected = [valueIds[3] ?? 0, next?.valueId ?? 0];
  expect(withheld).toEqual(expected.toSorted((one, other) => one - other));
});

test("a value may be withheld alone if it is the only one", () => {
  const alike = [{ score: 0, statements: [0] }];
  const some = members(5).map((member) => ({ ...member, ideal: alike, current: alike, gap: alike }));
  expect(summariseGroup([1], 6, some)?.values).toEqual([
    { valueId: 1, ideal: null, current: null, gap: null, withheld: "uniform" },
  ]);
});

test("five to nine members get means only, of gaps in half steps; ten members and more also get their spread", () => {
  const [few, exact] = [summarise(members(9)), summarise(members(10))];
  const all = (numbers: typeof few) => [
    ...(numbers?.values.flatMap(({ ideal, current, gap }) => [ideal, current, gap]) ?? []),
    ...Object.values(numbers?.totals ?? {}),
  ];
  for (const told of all(few)) expect(told).toMatchObject({ mean: expect.any(Number), sd: null, interval: null });
  for (const { gap } of few?.values ?? []) {
    expect(gap).toMatchObject({ rwg: null, icc1: null });
    const halfSteps = ((gap?.mean ?? Number.NaN) * 2 * compiled.scale.span) / 100;
    expect(Math.abs(halfSteps - Math.round(halfSteps))).toBeLessThan(0.01);
  }
  for (const told of all(exact)) expect(told?.interval?.[0]).toBeLessThan(told?.mean ?? Number.NaN);
});

test("archetypes are counted from five members on", () => {
  expect(archetypesOf([1, 1, 1, 1, 1, 2, 2, 2, 2, 2])).toEqual([
    { archetypeId: 1, members: 5 },
    { archetypeId: 2, members: 5 },
  ]);
  expect(archetypesOf([1, 1, 1, 1, 1, 2, 2, 2, 3, 3])).toEqual([{ archetypeId: 1, members: 5 }]);
});

test("archetypes are listed by their ids, however many members they have", () => {
  const many = (archetypeId: number, count: number) => Array.from({ length: count }, () => archetypeId);
  expect(archetypesOf([...many(9, 6), ...many(2, 5), ...many(5, 7)])).toEqual([
    { archetypeId: 2, members: 5 },
    { archetypeId: 5, members: 7 },
    { archetypeId: 9, members: 6 },
  ]);
  // One who is alone goes with the fewest others, and of as many with those of the greatest id.
  expect(archetypesOf([...many(1, 5), ...many(2, 7), ...many(4, 6), 3])).toEqual([
    { archetypeId: 2, members: 7 },
    { archetypeId: 4, members: 6 },
  ]);
  expect(archetypesOf([...many(2, 5), ...many(1, 5), 3])).toEqual([{ archetypeId: 1, members: 5 }]);
  expect(archetypesOf([...many(1, 5), ...many(2, 5), 3])).toEqual([{ archetypeId: 1, members: 5 }]);
});

test("no count of archetypes below five follows from the others", () => {
  expect(archetypesOf([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3])).toEqual([{ archetypeId: 1, members: 6 }]);
  expect(archetypesOf([1, 1, 1, 1, 1, 2])).toEqual([]);
});
