// What holds for the statements as a whole, and for those in English alone.
import { describe, expect, test } from "vitest";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { readingGrade, wordsOf } from "../../support/browser/readability.ts";
import { englishRules } from "../../support/values-bridge/translation-rules.ts";

const definition = valuesBridge as unknown as Definition;
const predicates = definition.values.flatMap((value) => value.items.map((item) => item.predicate));
const functionWords = new Set(englishRules.plain.split(" "));

/** The words of a predicate that carry its content, without their endings. */
function contentWords(predicate: string): Set<string> {
  const words = wordsOf(predicate).filter((word) => !functionWords.has(word));
  return new Set(words.map((word) => word.replace(/['’]s$/, "").replace(/(?<=..)(?:ies|ing|ly|ed|es|s|e|y)$/, "")));
}

function framed(predicate: string): string[] {
  return definition.frames.map((frame) => frame.text.replace("{predicate}", () => predicate));
}

describe("statements", () => {
  test("each of 19 values has four statements: three forward, one inverse", () => {
    expect(definition.values.map((value) => value.id)).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
    for (const value of definition.values) {
      expect(value.items.map((item) => item.inverse).toSorted()).toEqual([false, false, false, true]);
      expect(value.items.map((item) => item.weight)).toEqual([1, 1, 1, 1]);
    }
  });

  test("statements are unique, whatever their case, as predicates and as prompts", () => {
    const prompts = predicates.flatMap(framed).map((prompt) => prompt.toLowerCase());
    expect(new Set(predicates.map((predicate) => predicate.toLowerCase())).size).toBe(76);
    expect(new Set(prompts).size).toBe(152);
  });

  test("inverse statements have the same form as forward ones: they say what a person does", () => {
    const inverse = definition.values.flatMap((value) => value.items.filter((item) => item.inverse));
    expect(inverse.filter(({ predicate }) => !/^I (?!am )[a-z]+ /.test(predicate))).toEqual([]);
  });

  test("statements of one value share at most one content word", () => {
    for (const { items: siblings } of definition.values) {
      const contents = siblings.map((item) => contentWords(item.predicate));
      const overlaps = contents.flatMap((first, index) =>
        contents.slice(index + 1).map((second) => [...first.intersection(second)]),
      );
      expect(overlaps.filter((shared) => shared.length > 1)).toEqual([]);
    }
  });
});

describe("reading ease", () => {
  test("every single prompt reads at grade 6 or lower", () => {
    expect(predicates.flatMap(framed).filter((prompt) => readingGrade([prompt]) > 6)).toEqual([]);
  });
});

describe("texts around the statements", () => {
  test("the introduction names each value once, and gives its goal in 6 to 20 words", () => {
    const lengths = definition.values.map((value) => wordsOf(value.goal).length);
    expect(new Set(definition.values.map((value) => value.name.toLowerCase())).size).toBe(19);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(6);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(20);
  });
});

describe("pairings of the instrument", () => {
  const kinds = new Map([
    [1, "harmony"],
    [2, "harmony"],
    [8, "conflict"],
    [9, "conflict"],
  ]);
  const expected = definition.values.flatMap(({ id: a }) =>
    definition.values.flatMap(({ id: b }) => {
      const distance = Math.min(b - a, 19 - (b - a));
      const kind = a < b ? kinds.get(distance) : undefined;
      const cosine = Math.abs(Math.cos((2 * Math.PI * distance) / 19));
      return kind === undefined ? [] : [{ id: 100 * a + b, values: [a, b], kind, kappa: Number(cosine.toFixed(4)) }];
    }),
  );

  test("the pairings are all neighbours and all opposites on the circle, weighted by their angle", () => {
    expect(definition.pairings).toEqual(expected);
    expect(definition.pairings).toHaveLength(76);
  });
});
