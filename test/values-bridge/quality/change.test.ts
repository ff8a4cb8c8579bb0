// Change between two sessions: what is compared, how sure it is, and when there is nothing to say.
import { describe, expect, test } from "vitest";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { arrangeQuestions } from "../../../src/products/values-bridge/definition/questions.ts";
import { compileQuality, type QualityAssessor } from "../../../src/products/values-bridge/quality/assess.ts";
import {
  compareSessions,
  compareUnrounded,
  matchStatements,
} from "../../../src/products/values-bridge/quality/change.ts";
import type { Change } from "../../../src/products/values-bridge/quality/quality.ts";
import type { Answers } from "../../../src/products/values-bridge/scoring/cells.ts";
import { questionnaire } from "../../support/values-bridge/scoring-model.ts";
import { assessorOf, builtIn, modelOf, plain } from "./models.ts";
import { vector } from "./vectors.ts";

const { first, second } = vector<Record<"first" | "second", readonly (number | null)[]>, unknown>("P11").input;
const original = assessorOf(builtIn);
const questions = arrangeQuestions(builtIn, 1);

/** Whether a question is about a value in one life. */
const isAbout = (index: number, valueId: number, lifeContext: string) => {
  const about = questions[index]?.valuesBridgeConfig;
  return about?.valueId === valueId && about.lifeContext === lifeContext;
};

function compare(
  one: Answers,
  other: Answers,
  assessors: readonly [QualityAssessor, QualityAssessor] = [original, original],
) {
  return compareSessions(
    { assessor: assessors[0], answers: one, times: null },
    { assessor: assessors[1], answers: other, times: null },
  );
}

/** The unrounded changes of one value. */
function changesOf(valueId: number, one: Answers, other: Answers): Record<"ideal" | "current" | "gap", Change | null> {
  const assessor = original;
  const { statements } = compareUnrounded(
    { assessor, answers: one, times: null },
    { assessor, answers: other, times: null },
  );
  const row = statements?.values.find((value) => value.valueId === valueId);
  if (row === undefined) throw new Error("nothing compared");
  return row;
}

/** Answers without those to the first `count` questions of a value in one life. */
function without(answers: Answers, valueId: number, lifeContext: string, count: number): Answers {
  const places = answers.flatMap((_, index) => (isAbout(index, valueId, lifeContext) ? [index] : []));
  const missingPlaces = new Set(places.slice(0, count));
  return answers.map((answer, index) => (missingPlaces.has(index) ? null : answer));
}

test("equal answers have no change, and the result says how many tests were made", () => {
  const { statements, grades, comparable } = compare(first, first);
  expect({ comparable, grades }).toEqual({ comparable: true, grades: ["good", "good"] });
  expect(statements).toMatchObject({ tests: 57, expectedByChance: 2.85 });
  expect(statements?.variance.ideal).toEqual({ df: 57, variance: 0.1667 });
  expect(statements?.variance.gap).toEqual({ df: 57, variance: 0.3333 });
  const none = { change: 0, index: 0, consistent: "none" };
  for (const value of statements?.values ?? []) expect(value).toMatchObject({ ideal: none, current: none, gap: none });
});

test.each([
  ["ideal", "current"],
  ["current", "ideal"],
] as const)(
  "a value has a change from 2 statements on that are answered in both sessions, in the %s life",
  (life, other) => {
    // 2 statements are a score in either session, yet none, one or two are answered in both
    const lastTwo = without(first, 1, life, 2);
    const position = questions.findIndex((_, index) => isAbout(index, 1, life) && lastTwo[index] !== null);
    const firstThree = second.map((answer, index) => (isAbout(index, 1, life) && index > position ? null : answer));
    for (const changes of [changesOf(1, lastTwo, firstThree), changesOf(1, firstThree, lastTwo)]) {
      expect(changes).toMatchObject({ [life]: null, gap: null });
      expect(changes[other]).not.toBeNull();
    }
    expect(changesOf(1, lastTwo, second)[life]).not.toBeNull();
    expect(changesOf(1, lastTwo, second).gap).not.toBeNull();
  },
);

test("a value has a change without a standard error below 30 degrees of freedom", () => {
  const complete = first.map((answer) => answer ?? 4);
  /** Of the current life, all answers to the values before the `count`th, and the `last` first ones to that. */
  const upTo = (count: number, last: number): Answers => {
    let rest = last;
    return questions.map(({ valuesBridgeConfig: { valueId, lifeContext } }, index) => {
      if (lifeContext === "ideal" || valueId < count) return complete[index] ?? null;
      if (valueId > count) return null;
      rest -= 1;
      return rest < 0 ? null : (complete[index] ?? null);
    });
  };
  // 9 whole values give 27, the tenth with 3 statements gives 2, with 4 it gives 3
  const below = compare(upTo(10, 3), complete);
  expect(below.statements?.variance.current).toEqual({ df: 29, variance: null });
  const bare = { change: expect.any(Number), standardError: null, index: null, consistent: null };
  expect(below.statements?.values[0]?.current).toEqual(bare);
  expect(below.statements?.values[0]?.gap).toEqual(bare);
  expect(below.statements).toMatchObject({ tests: 19, expectedByChance: 0.95 });
  const enough = compare(upTo(10, 4), complete);
  expect(enough.statements?.variance.current.df).toBe(30);
  expect(enough.statements?.tests).toBe(39);
});

const constant = first.map(() => 4);
const few = first.map((answer, index) => (index < 75 ? answer : null));

test.each<[string, Answers, Answers, string[]]>([
  ["the first fails", constant, second, ["fail", "good"]],
  ["the second fails", first, constant, ["good", "fail"]],
  ["one is unknown", few, second, ["unknown", "good"]],
])("sessions are not compared where %s", (_, one, other, grades) => {
  const comparison = compare(one, other);
  const result = { model: "quality-and-error", version: 2, comparable: true, reason: "grade" };
  expect(comparison).toEqual({ ...result, grades, statements: null });
});

describe("comparable versions", () => {
  type Value = Definition["values"][number];
  const withFirst = (change: (value: Value) => Value): Definition => {
    const [head, ...rest] = builtIn.values;
    if (head === undefined) throw new RangeError("no value");
    return { ...builtIn, values: [change(head), ...rest] };
  };
  const withItem = (change: Partial<Value["items"][number]>): Definition =>
    withFirst((value) => ({
      ...value,
      items: value.items.map((item, index) => (index === 0 ? { ...item, ...change } : item)),
    }));
  const lastAs = (id: number): Value => {
    const last = builtIn.values.at(-1);
    if (last === undefined) throw new RangeError("no value");
    return { ...last, id };
  };
  const match = (definition: Definition) => {
    const other = assessorOf(definition).compiled;
    const matched = matchStatements(original.compiled, other);
    const difference = typeof matched === "string" ? matched : null;
    const turned = matchStatements(other, original.compiled);
    expect(typeof turned === "string" ? turned : null).toBe(difference);
    return difference;
  };

  test("versions are comparable if they ask the same statements in another order, each statement matched with itself", () => {
    const turned: Definition = {
      ...builtIn,
      frames: builtIn.frames.toReversed(),
      order: { valueStride: 3, roundStride: 2 },
      values: builtIn.values.map((value) => ({ ...value, items: value.items.toReversed() })),
    };
    const order = arrangeQuestions(turned, 2);
    const answers = order.map(({ predicate, valuesBridgeConfig: { lifeContext } }) => {
      const index = questions.findIndex(
        (q) => q.predicate === predicate && q.valuesBridgeConfig.lifeContext === lifeContext,
      );
      return second[index] ?? null;
    });
    expect(compare(first, answers, [original, assessorOf(turned)])).toEqual(compare(first, second));
  });

  test("versions are comparable if only texts around the statements differ, or statements of weight 0", () => {
    expect(
      match({ ...builtIn, title: "Another title", scoring: { ...builtIn.scoring, focusThreshold: 20 } }),
    ).toBeNull();
    const more = (predicate: string): Definition => ({
      ...builtIn,
      values: builtIn.values.map((value) => ({
        ...value,
        items: [...value.items, { predicate: `${predicate} ${value.id}`, inverse: false, weight: 0 }],
      })),
    });
    expect(match(more("I try out"))).toBeNull();
    expect(
      matchStatements(assessorOf(more("I try out")).compiled, assessorOf(more("I leave out")).compiled),
    ).toBeInstanceOf(Array);
  });

  test.each<[string, Definition, string]>([
    ["a predicate", withItem({ predicate: "I do something else altogether" }), "wording"],
    ["a key", withItem({ inverse: true }), "keys"],
    ["a weight", withItem({ weight: 0.999 }), "keys"],
    ["a statement that counts", withItem({ weight: 0 }), "wording"],
    ["the id of a value", withFirst((value) => ({ ...value, id: 20 })), "values"],
    ["the id of the last value", { ...builtIn, values: builtIn.values.with(-1, lastAs(20)) }, "values"],
    ["the number of values", { ...builtIn, values: builtIn.values.slice(0, -1) }, "values"],
    ["the number of statements", withFirst((value) => ({ ...value, items: value.items.slice(1) })), "wording"],
    ["the upper end of the scale", { ...builtIn, scale: { ...builtIn.scale, max: 8 } }, "scale"],
    ["the lower end of the scale", { ...builtIn, scale: { ...builtIn.scale, min: 0 } }, "scale"],
  ])("versions are not comparable if they differ in %s", (_, definition, difference) => {
    expect(match(definition)).toBe(difference);
  });

  test.each([4, 80])(
    "versions are not comparable if they differ in the key of a statement in one life alone, that of question %i",
    (place) => {
      const turned = questionnaire().map((question, index) =>
        index === place ? { ...question, inverse: true } : question,
      );
      expect(matchStatements(plain.compiled, compileQuality(modelOf(turned)).compiled)).toBe("keys");
      expect(matchStatements(plain.compiled, compileQuality(modelOf(questionnaire())).compiled)).toBeInstanceOf(Array);
    },
  );
});

describe("changes with weights", () => {
  /** 3, 1, 1, 1: two of the light statements carry too little of the weight for a score. */
  const weights = Array.from({ length: 76 }, (_, index) => (index % 4 === 0 ? 3 : 1));
  const assessor = compileQuality(modelOf(questionnaire({ omegaWeights: weights })));
  const level = (index: number) => 2 + (Math.floor((index % 76) / 4) % 4) + (index % 2);
  const answers = Array.from({ length: 152 }, (_, index) => (index % 4 === 3 ? 8 - level(index) : level(index)));
  const changes = (one: Answers, other: Answers) =>
    compareUnrounded({ assessor, answers: one, times: null }, { assessor, answers: other, times: null }).statements;

  test("a value whose answers have too little weight for a score, in either session, has no change", () => {
    const light = answers.map((answer, index) => (index === 1 || index === 2 || index > 3 ? answer : null));
    for (const found of [changes(light, answers), changes(answers, light)]) {
      expect(found?.values[0]).toMatchObject({ ideal: null, gap: null });
      expect(found?.values[0]?.current).not.toBeNull();
      expect(found?.variance.ideal.df).toBe(54);
    }
  });
});
