// What a model must be to be assessed.
import { expect, test } from "vitest";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import { questionnaire } from "../../support/values-bridge/scoring-model.ts";
import { assessorOf, builtIn, modelOf, plain } from "./models.ts";

test("the compiled model counts the statements of both lives, each life in the order in which it is asked", () => {
  const { questionCount: asked, blocks } = assessorOf(builtIn).compiled;
  const places = Array.from({ length: 76 }, (_, place) => place);
  expect(asked).toBe(152);
  expect(blocks.map(({ positions }) => positions)).toEqual([places, places.map((place) => 76 + place)]);
});

test("the compiled model has the share of forward minus inverse statements, if it is the same everywhere", () => {
  const balance = (inverse: (index: number) => boolean) => {
    const questions = questionnaire().map((question, index) => ({ ...question, inverse: inverse(index) }));
    return compileQuality(modelOf(questions)).compiled.keyBalance;
  };
  expect(balance((index) => index % 4 === 3)).toBe(0.5);
  expect(balance((index) => index % 4 > 0)).toBe(-0.5);
  expect(balance(() => false)).toBe(1);
  expect(balance((index) => index === 151 || index % 4 === 0)).toBeNull();
});

test("a statement whose question is missing is refused", () => {
  const model = modelOf(questionnaire());
  const statements = model.statements.map((statement) => ({ ...statement, current: statement.current + 1 }));
  expect(() => compileQuality({ ...model, statements })).toThrow(RangeError);
});

test.each([
  ["too few answers", Array(151).fill(4), "151 answers to 152 questions"],
  ["an answer off the scale", [8, ...Array(151).fill(4)], "the answer to question 1 is not a number from 1 to 7"],
])("assessing %s is refused", (_, answers, message) => {
  expect(() => plain.assess(answers, null)).toThrow(new RangeError(message));
  expect(() => plain.judge(answers, null)).toThrow(new RangeError(message));
});
