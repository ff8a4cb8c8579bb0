// Answers that cannot be are refused, never bent into range.
import { describe, expect, test } from "vitest";
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";
import { questionnaire, scoringModel } from "../../support/values-bridge/scoring-model.ts";

describe("invalid answers", () => {
  const questions = questionnaire({ omegaWeights: [0] });
  const scorer = compileScoring(scoringModel(questions));
  const complete: readonly (number | null)[] = questions.map(() => 4);

  test.each([0, 8, 7.000001, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "%d on a scale of 1 to 7 is refused, never clamped",
    (answer) => {
      for (const position of [0, 1, 151]) {
        expect(() => scorer.score(complete.with(position, answer))).toThrow(RangeError);
        expect(() => scorer.explain(complete.with(position, answer))).toThrow(RangeError);
      }
    },
  );

  test("the error names the question of an invalid answer, without the answer", () => {
    expect(() => scorer.score(complete.with(151, 99))).toThrow(
      new RangeError("the answer to question 152 is not a number from 1 to 7"),
    );
  });

  test("an answer that is text or undefined is refused", () => {
    for (const answer of ["4", undefined]) {
      expect(() => scorer.score(complete.with(3, answer as unknown as null))).toThrow(
        new RangeError("the answer to question 4 is not a number from 1 to 7"),
      );
    }
  });

  test("more or fewer entries than questions are refused", () => {
    expect(() => scorer.score(complete.slice(1))).toThrow(new RangeError("151 answers to 152 questions"));
    expect(() => scorer.score([...complete, null])).toThrow(new RangeError("153 answers to 152 questions"));
    expect(() => scorer.explain([])).toThrow(new RangeError("0 answers to 152 questions"));
  });

  test("both ends of the scale are accepted", () => {
    expect(() => scorer.score(complete.with(0, 1).with(1, 7))).not.toThrow();
  });
});
