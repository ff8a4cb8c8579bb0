// The versions of the instrument that were shipped: later ones change words, so that scores are made alike.
import { describe, expect, test } from "vitest";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { arrangeQuestions, scoringModel } from "../../../src/products/values-bridge/definition/questions.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import versionOne from "../../../src/products/values-bridge/definition/values-bridge-1.json" with { type: "json" };

const before = versionOne as unknown as Definition;
const now = valuesBridge as unknown as Definition;

describe("version 2 of the instrument", () => {
  test("asks about the same value with the same key, weight and scale at every position", () => {
    const model = (definition: Definition) => scoringModel(definition, arrangeQuestions(definition, 1));
    expect(model(now)).toEqual(model(before));
  });

  test("differs from version 1 in statements, three goals and translations, and in nothing else", () => {
    const { translations, ...rest } = now;
    const statements = now.values.map(({ items }, value) =>
      items.map((item, index) => ({ ...item, predicate: before.values[value]?.items[index]?.predicate })),
    );
    const values = now.values.map((value, index) => ({
      ...value,
      goal: before.values[index]?.goal,
      items: statements[index],
    }));
    expect({ ...rest, values }).toEqual(before);
    expect(translations?.map(({ language }) => language)).toEqual(["de"]);
    const goals = now.values.filter(({ goal }, index) => goal !== before.values[index]?.goal);
    expect(goals.map(({ id }) => id)).toEqual([8, 16, 17]);
  });

  test("rewords what the review of version 1 named", () => {
    const named =
      "1.4 3.1 3.4 4.2 6.3 6.4 7.3 8.2 9.2 9.3 10.2 10.4 11.1 11.2 12.3 14.1 14.4 15.2 16.2 17.4 18.4 19.1".split(" ");
    const kept = now.values.flatMap(({ id, items }, value) =>
      items.flatMap(({ predicate }, index) =>
        predicate === before.values[value]?.items[index]?.predicate ? [`${id}.${index + 1}`] : [],
      ),
    );
    expect(kept.filter((place) => named.includes(place))).toEqual([]);
    expect(kept.join(" ")).toBe("1.1 1.2 2.1 3.2 5.1 5.3 6.1 7.1 8.3 10.3 12.2 13.1 13.3 15.3 16.3 17.1 19.3");
  });
});
