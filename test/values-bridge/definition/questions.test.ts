// The order in which the statements of an instrument are asked, and what scoring gets to see of them.
import { describe, expect, test } from "vitest";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import {
  arrangeQuestions,
  type Question,
  scoringModel,
} from "../../../src/products/values-bridge/definition/questions.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };

const definition = valuesBridge as unknown as Definition;
const questions = arranged(definition, 7);
const ideal = questions.slice(0, 76);
const current = questions.slice(76);
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

describe("arrangeQuestions", () => {
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

  test("the first questions are as expected", () => {
    expect(questions[0]).toEqual({
      id: 7001,
      position: 1,
      prompt: "In the life I want, I question what I read before I believe it.",
      predicate: "I question what I read before I believe it",
      type: "likert",
      likertConfig: { min: 1, max: 7 },
      choices: [
        { id: 1, label: "Not at all true" },
        { id: 2, label: "A little true" },
        { id: 3, label: "Partly true" },
        { id: 4, label: "Half and half" },
        { id: 5, label: "Mostly true" },
        { id: 6, label: "Almost completely true" },
        { id: 7, label: "Completely true" },
      ],
      group: "ideal",
      valueId: 1,
      valueName: "Free Thinking",
      lifeContext: "ideal",
      inverse: false,
      omegaWeight: 1,
      required: true,
    });
    expect(questions.slice(1, 5).map(({ prompt, valueId, inverse }) => [valueId, inverse, prompt])).toEqual([
      [8, true, "In the life I want, I let others see me as they like."],
      [15, false, "In the life I want, I do what I told others I would do."],
      [3, false, "In the life I want, I seek out moments that thrill me."],
      [10, false, "In the life I want, I do what I can to keep society stable."],
    ]);
    expect(current[0]).toMatchObject({
      id: 7077,
      position: 77,
      prompt: "In my life today, I question what I read before I believe it.",
      group: "current",
      lifeContext: "current",
    });
  });

  test("the short form asks two items a value in two rounds, the inverse ones in the round of their id", () => {
    const asked = arranged(shortForm, 8);
    const asksInverse = (valueId: number, round: number) => valueId % 2 === round;
    expect(asked).toHaveLength(76);
    expect(new Set(asked.map((question) => question.prompt)).size).toBe(76);
    asked.slice(0, 38).forEach((question, index) => {
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
});

describe("scoringModel", () => {
  const model = scoringModel(definition, arrangeQuestions(definition, 7));

  test("the scoring model has every question with the bounds of the scale", () => {
    expect(model.questions).toHaveLength(152);
    expect(model.questions[1]).toEqual({
      id: 7002,
      valueId: 8,
      lifeContext: "ideal",
      inverse: true,
      omegaWeight: 1,
      min: 1,
      max: 7,
    });
  });
});
