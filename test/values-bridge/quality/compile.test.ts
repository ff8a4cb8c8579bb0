// What a model must be to be assessed.
import { describe, expect, test } from "vitest";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import { questionnaire } from "../../support/values-bridge/scoring-model.ts";
import { modelOf, plain } from "./models.ts";

describe("compileQuality", () => {
  test("refuses questions of different scales, since a point would have no one size", () => {
    const questions = questionnaire().map((question) => (question.id === 5 ? { ...question, max: 9 } : question));
    expect(() => compileQuality(modelOf(questions))).toThrow(
      "question 5 is rated 1 to 9, others 1 to 7; quality needs one scale",
    );
  });

  test("refuses a statement whose question is not there", () => {
    const model = modelOf(questionnaire());
    const statements = model.statements.map((statement) => ({ ...statement, current: statement.current + 1 }));
    expect(() => compileQuality({ ...model, statements })).toThrow(RangeError);
  });
});

describe("assess", () => {
  test.each([
    ["too few answers", Array(151).fill(4), "151 answers to 152 questions"],
    ["an answer off the scale", [8, ...Array(151).fill(4)], "the answer to question 1 is not a number from 1 to 7"],
  ])("refuses %s", (_, answers, message) => {
    expect(() => plain.assess(answers, null)).toThrow(new RangeError(message));
  });
});
