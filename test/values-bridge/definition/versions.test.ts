// The versions of the instrument that were shipped: later ones change words, so that scores are made alike.
import { describe, expect, test } from "vitest";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { arrangeQuestions, scoringModel } from "../../../src/products/values-bridge/definition/questions.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import versionOne from "../../../src/products/values-bridge/definition/values-bridge-1.json" with { type: "json" };
import versionTwo from "../../../src/products/values-bridge/definition/values-bridge-2.json" with { type: "json" };

const [first, second, third] = [versionOne, versionTwo, valuesBridge] as unknown as [
  Definition,
  Definition,
  Definition,
];

/** A version without what people read of its statements, its scale, its goals and its translations. */
function withoutWords({ translations, scale, values, ...rest }: Definition) {
  return {
    ...rest,
    scale: { ...scale, labels: scale.labels.length },
    values: values.map(({ goal, items, ...value }) => ({
      ...value,
      items: items.map(({ predicate, ...item }) => item),
    })),
  };
}

/** The numbers of the statements that both versions have in the same words. */
function keptStatements(before: Definition, now: Definition): string[] {
  return now.values.flatMap(({ id, items }, value) =>
    items.flatMap(({ predicate }, index) =>
      predicate === before.values[value]?.items[index]?.predicate ? [`${id}.${index + 1}`] : [],
    ),
  );
}

test.each([
  ["2", first, second],
  ["3", second, third],
])("version %s asks about the same value with the same key, weight and scale at every position", (_, before, now) => {
  const model = (definition: Definition) => scoringModel(definition, arrangeQuestions(definition, 1));
  expect(model(now)).toEqual(model(before));
  expect(withoutWords(now)).toEqual(withoutWords(before));
});

describe("version 2 of the instrument", () => {
  test("differs from version 1 in statements, three goals and translations alone", () => {
    expect(second.scale).toEqual(first.scale);
    expect(second.translations?.map(({ language }) => language)).toEqual(["de"]);
    const goals = second.values.filter(({ goal }, index) => goal !== first.values[index]?.goal);
    expect(goals.map(({ id }) => id)).toEqual([8, 16, 17]);
  });

  test("rewords what the review of version 1 named", () => {
    const named =
      "1.4 3.1 3.4 4.2 6.3 6.4 7.3 8.2 9.2 9.3 10.2 10.4 11.1 11.2 12.3 14.1 14.4 15.2 16.2 17.4 18.4 19.1".split(" ");
    const kept = keptStatements(first, second);
    expect(kept.filter((place) => named.includes(place))).toEqual([]);
    expect(kept.join(" ")).toBe("1.1 1.2 2.1 3.2 5.1 5.3 6.1 7.1 8.3 10.3 12.2 13.1 13.3 15.3 16.3 17.1 19.3");
  });
});

describe("version 3 of the instrument", () => {
  test("rewords what the review of version 2 named, and two statements that held two ideas", () => {
    const named = (
      "1.4 2.3 2.4 3.2 4.2 4.4 5.2 5.4 6.4 7.1 7.2 7.3 7.4 8.3 8.4 9.2 9.4 10.1 10.2 10.3 10.4 11.1 11.4 12.3 12.4 " +
      "13.3 13.4 15.3 15.4 16.3 17.1 17.4 18.3 18.4 19.3 19.4 8.2 17.2"
    ).split(" ");
    const kept = keptStatements(second, third);
    expect(kept.filter((place) => named.includes(place))).toEqual([]);
    expect(kept).toHaveLength(76 - named.length);
    expect(third.values.map(({ goal }) => goal)).toEqual(second.values.map(({ goal }) => goal));
  });

  test("has a scale of shares, with a half in its middle, in both languages", () => {
    expect([third.scale.labels[3], third.translations?.[0]?.labels[3]]).toEqual(["Half and half", "Stimmt zur Hälfte"]);
    for (const labels of [third.scale.labels, third.translations?.[0]?.labels ?? []]) {
      expect(labels.filter((label) => /very|barely|slightly|ziemlich|sehr|kaum/i.test(label))).toEqual([]);
    }
    expect([first.scale.labels[5], second.scale.labels[5]]).toEqual(["Very true", "Very true"]);
  });
});
