// Group numbers: what they say, and what they hold back.
import { expect, test } from "vitest";
import { qualityModel } from "../../../src/products/values-bridge/definition/quality-model.ts";
import { arrangeQuestions } from "../../../src/products/values-bridge/definition/questions.ts";
import type { Member } from "../../../src/products/values-bridge/groups/member.ts";
import { readMember } from "../../../src/products/values-bridge/groups/member.ts";
import { summariseGroup } from "../../../src/products/values-bridge/groups/summarise.ts";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import type { Quality } from "../../../src/products/values-bridge/quality/quality.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { answersOf, randomOf, somebody } from "../../support/values-bridge/simulated-people.ts";

const definition = longForm();
const { compiled, assess } = compileQuality(qualityModel(definition, arrangeQuestions(definition, 1)));
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

const archetypesOf = (ids: readonly number[]) => summariseGroup(valueIds, withArchetypes(ids))?.archetypes;

test("a group of four has no numbers, a group of five has", () => {
  expect(summariseGroup(valueIds, members(4))).toBeNull();
  expect(summariseGroup(valueIds, members(5))?.members).toBe(5);
});

test("every mean is that of the members' own centred scores and gaps, by their error block and results", () => {
  const sheets = Array.from({ length: 40 }, (_, index) => answers(index + 1));
  const isWhole = ({ error }: Quality) => error?.values.every(({ ideal, current }) => ideal && current) ?? false;
  const blocks = sheets.map((sheet) => assess(sheet, null)).filter(isWhole);
  const numbers = summariseGroup(
    valueIds,
    sheets.flatMap((sheet) => readMember(compiled, sheet, null) ?? []),
  );
  expect(numbers?.members).toBe(blocks.length);
  const mean = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0) / all.length;
  numbers?.values.forEach((value, index) => {
    const of = blocks.flatMap(({ error }) => error?.values[index] ?? []);
    const expected = {
      ideal: mean(of.map(({ ideal }) => ideal?.centred ?? Number.NaN)),
      current: mean(of.map(({ current }) => current?.centred ?? Number.NaN)),
      gap: mean(of.map(({ gap }) => gap?.reported ?? Number.NaN)),
    };
    for (const name of ["ideal", "current", "gap"] as const) {
      // One rounding of the mean, one of each member's number.
      expect(Math.abs((value[name]?.mean ?? Number.NaN) - expected[name]), `${value.valueId} ${name}`).toBeLessThan(
        0.056,
      );
    }
  });
});

test("the order of members is nothing to the numbers", () => {
  const some = members(12);
  expect(summariseGroup(valueIds, some.toReversed())).toEqual(summariseGroup(valueIds, some));
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

test("members who are all alike are told nothing of: no value, no total, no archetype", () => {
  const [member] = members(1);
  const numbers = summariseGroup(valueIds, Array.from({ length: 9 }, () => member ?? []).flat());
  expect(numbers?.values.every(({ withheld, ideal }) => withheld === "uniform" && ideal === null)).toBe(true);
  expect(numbers?.totals).toEqual({ totalGap: null, harmony: null, conflict: null });
  expect(numbers?.archetypes).toEqual([]);
});

test("one value in which all are alike is withheld with a second, since centred means add up to 0", () => {
  const alike = { score: 12, statements: [12, 12] };
  const some = members(8).map((member) => ({
    ...member,
    ideal: member.ideal.map((each, i) => (i === 3 ? alike : each)),
  }));
  const numbers = summariseGroup(valueIds, some);
  const withheld = numbers?.values.filter((value) => value.withheld !== null).map(({ valueId }) => valueId);
  expect(withheld).toContain(valueIds[3]);
  expect(withheld).toHaveLength(2);
});

test("archetypes are counted from five members on", () => {
  expect(archetypesOf([1, 1, 1, 1, 1, 2, 2, 2, 2, 2])).toEqual([
    { archetypeId: 1, members: 5 },
    { archetypeId: 2, members: 5 },
  ]);
  expect(archetypesOf([1, 1, 1, 1, 1, 2, 2, 2, 3, 3])).toEqual([{ archetypeId: 1, members: 5 }]);
});

test("no count of archetypes below five follows from the others", () => {
  expect(archetypesOf([1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3])).toEqual([{ archetypeId: 1, members: 6 }]);
  expect(archetypesOf([1, 1, 1, 1, 1, 2])).toEqual([]);
});
