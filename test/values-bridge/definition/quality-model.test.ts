// What quality gets to see of an instrument.
import { describe, expect, test } from "vitest";
import { arrangeQuestions, toQualityModel } from "../../../src/products/values-bridge/definition/questions.ts";
import { builtIn as definition } from "../quality/models.ts";

const questions = arrangeQuestions(definition, 7);

describe("qualityModel", () => {
  const { statements } = toQualityModel(definition, questions);

  test("the quality model names every statement once, in the order of the definition, with the two questions that ask it", () => {
    const items = definition.values.flatMap((value) => value.items.map((item) => ({ valueId: value.id, ...item })));
    expect(statements.map(({ valueId, predicate }) => [valueId, predicate])).toEqual(
      items.map(({ valueId, predicate }) => [valueId, predicate]),
    );
    for (const { valueId, predicate, ideal, current } of statements) {
      expect(questions[ideal]).toMatchObject({ predicate, valuesBridgeConfig: { valueId, lifeContext: "ideal" } });
      expect(questions[current]).toMatchObject({ predicate, valuesBridgeConfig: { valueId, lifeContext: "current" } });
    }
  });

  test("the quality model refuses questions of another definition", () => {
    expect(() => toQualityModel(definition, questions.slice(0, 151))).toThrow("no current question asks");
  });
});
