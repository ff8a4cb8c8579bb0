// Which answers suffice for a score, a personal average and an archetype, and which are refused, never bent into range.
import { describe, expect, test } from "vitest";
import type { ScoringQuestion } from "../../../src/products/values-bridge/scoring/model.ts";
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";
import { questionnaire, toScoringModel } from "../../support/values-bridge/scoring-model.ts";
import { explanationOf, isIn, keyedSession } from "../../support/values-bridge/sessions.ts";

describe("missing answers", () => {
  /** Value 1 has ideal items of the given weights and answers; everything else is answered in full. */
  function valueOne(weights: readonly number[], answered: readonly number[]) {
    const rest = questionnaire().filter((question) => !isIn(question, 1, "ideal"));
    const items = weights.map(
      (omegaWeight, i): ScoringQuestion => ({
        ...{ id: 500 + i, valueId: 1, lifeContext: "ideal", inverse: false, omegaWeight, min: 1, max: 7 },
      }),
    );
    const session = keyedSession([...items, ...rest], (q) => (q.id >= 500 && answered[q.id - 500] !== 1 ? null : 6));
    const { score, unscored } = explanationOf(session).values[0]?.ideal ?? {};
    return { score, unscored };
  }

  test.each<[string, string | null, readonly number[], readonly number[]]>([
    ["two answers that carry exactly half the weight", null, [1, 1, 1, 1], [1, 1]],
    ["two answers that carry exactly half of unlike weights", null, [0.5, 0.5, 0.25, 0.75], [1, 1]],
    ["two answers that carry a thousandth less", "too_little_weight", [0.5, 0.499, 0.25, 0.751], [1, 1]],
    ["a single answer, however much it weighs", "too_few_items", [100, 1, 1, 1], [1]],
    ["a single answer where there is one item", null, [1], [1]],
    ["a single answer where only one item counts", null, [1, 0, 0, 0], [1]],
    ["answers to items of weight 0", "too_few_items", [1, 0, 0, 0], [0, 1, 1, 1]],
    ["one answer beside those of weight 0", "too_few_items", [1, 1, 0, 0], [1, 0, 1, 1]],
    ["answers to items that all weigh 0", "too_few_items", [0, 0, 0, 0], [1, 1, 1, 1]],
    ["half a thousandth, which is rounded up", null, [0.0005], [1]],
    ["less than that, which is none", "too_few_items", [0.00049], [1]],
    ["no answer", "too_few_items", [1, 1, 1, 1], []],
  ])("a value with %s has this reason to have no score: %s", (_, unscored, weights, answered) => {
    expect(valueOne(weights, answered)).toEqual({ score: unscored === null ? 1 : null, unscored });
  });
});

describe("invalid answers", () => {
  const questions = questionnaire({ omegaWeights: [0] });
  const scorer = compileScoring(toScoringModel(questions));
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
});
