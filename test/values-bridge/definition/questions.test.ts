// The order in which the statements of an instrument are asked.
import { expect, test } from "vitest";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { arrangeQuestions, type Question } from "../../../src/products/values-bridge/definition/questions.ts";
import { builtIn as definition } from "../quality/models.ts";

const questions = arranged(definition, 7);
const ideal = questions.slice(0, 76);
const rounds = [0, 19, 38, 57].map((start) => ideal.slice(start, start + 19));

/** The instrument with the first forward item and the inverse item of each value. */
const shortForm: Definition = {
  ...definition,
  values: definition.values.map((value) => ({
    ...value,
    items: [...value.items.slice(0, 1), ...value.items.slice(3)],
  })),
};

/** The questions, each with what it says of its value beside the rest. */
function arranged(given: Definition, assessmentId: number) {
  return arrangeQuestions(given, assessmentId).map(({ valuesBridgeConfig, ...question }: Question) => ({
    ...question,
    ...valuesBridgeConfig,
  }));
}

test("every round asks each value once", () => {
  const ids = definition.values.map((value) => value.id);
  for (const round of rounds) {
    expect(round.map((question) => question.valueId).toSorted((a, b) => a - b)).toEqual(ids);
  }
});

test("the inverse item of a value is asked in the round of its id, so that each round has 4 or 5 of them", () => {
  rounds.forEach((round, number) => {
    const inverse = round.filter((question) => question.inverse);
    expect(inverse.every((question) => question.valueId % 4 === number)).toBe(true);
  });
  expect(rounds.map((round) => round.filter((question) => question.inverse).length)).toEqual([4, 5, 5, 5]);
});

test("the short form asks two items a value in two rounds, the inverse ones in the round of their id", () => {
  const order = arranged(shortForm, 8);
  const asksInverse = (valueId: number, round: number) => valueId % 2 === round;
  expect(order).toHaveLength(76);
  expect(new Set(order.map((question) => question.prompt)).size).toBe(76);
  order.slice(0, 38).forEach((question, index) => {
    expect(question.inverse).toBe(asksInverse(question.valueId, Math.floor(index / 19)));
  });
});

test("a predicate is placed in its frame letter by letter", () => {
  const [value] = definition.values;
  const values =
    value === undefined ? [] : [{ ...value, items: [{ predicate: "$& is $1", inverse: false, weight: 1 }] }];
  expect(arrangeQuestions({ ...definition, values }, 9).map((question) => question.prompt)).toEqual([
    "In the life I want, $& is $1.",
    "In my life today, $& is $1.",
  ]);
});
