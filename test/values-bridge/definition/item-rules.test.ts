// The rules of good statements, held over the instrument that is shipped.
import { describe, expect, test } from "vitest";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { readingGrade, wordsOf } from "../../support/browser/readability.ts";
import { contentWords, itemRules, overusedWords, verbsOfInverseOnly } from "../../support/values-bridge/item-rules.ts";

const definition = valuesBridge as unknown as Definition;
const predicates = predicatesOf(definition);

function predicatesOf({ values }: Definition): string[] {
  return values.flatMap((value) => value.items.map((item) => item.predicate));
}

function framed(predicate: string): string[] {
  return definition.frames.map((frame) => frame.text.replace("{predicate}", () => predicate));
}

/** The items that break each rule, as `value.item`. */
function broken({ values }: Definition): Record<string, string> {
  const items = values.flatMap(({ id, items }) =>
    items.map((item, index) => ({ ...item, place: `${id}.${index + 1}` })),
  );
  const found = itemRules.map(({ name, isBroken }) => {
    const places = items.filter((item) => isBroken(item.predicate)).map((item) => item.place);
    return [name, places.join(" ")] as const;
  });
  return Object.fromEntries(found.filter(([, places]) => places !== ""));
}

describe("the statements", () => {
  test("are four for each of 19 values: three forward, one inverse", () => {
    expect(definition.values.map((value) => value.id)).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
    for (const value of definition.values) {
      expect(value.items.map((item) => item.inverse).toSorted()).toEqual([false, false, false, true]);
      expect(value.items.map((item) => item.weight)).toEqual([1, 1, 1, 1]);
    }
  });

  test("are unique, whatever their case, as predicates and as prompts", () => {
    const prompts = predicates.flatMap(framed).map((prompt) => prompt.toLowerCase());
    expect(new Set(predicates.map((predicate) => predicate.toLowerCase())).size).toBe(76);
    expect(new Set(prompts).size).toBe(152);
  });

  test("keep every rule of single statements", () => {
    expect(broken(definition)).toEqual({});
  });

  test("are of one form, whatever their key: inverse ones say what a person does too", () => {
    const inverse = definition.values.flatMap((value) => value.items.filter((item) => item.inverse));
    expect(inverse.filter(({ predicate }) => !/^I (?!am )[a-z]+ /.test(predicate))).toEqual([]);
  });

  test("say with verbs of forward ones what inverse ones do", () => {
    expect(verbsOfInverseOnly(definition.values.flatMap(({ items }) => items))).toEqual([]);
  });

  test("share at most one content word within a value", () => {
    for (const { items: siblings } of definition.values) {
      const contents = siblings.map((item) => contentWords(item.predicate));
      const overlaps = contents.flatMap((first, index) =>
        contents.slice(index + 1).map((second) => [...first.intersection(second)]),
      );
      expect(overlaps.filter((shared) => shared.length > 1)).toEqual([]);
    }
  });

  test("use no content word in more than four of 76", () => {
    expect(overusedWords(predicates)).toEqual({});
  });
});

describe("the rules of single statements", () => {
  const faults = [
    ["6 to 16 words", "I read some old books"],
    ["completes the frame: no capital but I, no full stop, single spaces", "I read old books about the sea."],
    ["does not repeat the frame", "I read old books about the life of bees"],
    ["speaks of the person who answers", "people read old books about the sea"],
    ["one claim", "I read old books and write new ones"],
    ["one claim", "I read old books so that I learn"],
    ["says whose group it is about", "I read the old books that we have"],
    ["no negation", "I read old books without pictures of bees"],
    ["leaves how often to the response scale", "I often read old books about bees"],
    ["no feeling instead of a goal", "I enjoy old books about the sea"],
    ["presupposes nothing bad", "I read old books about the war"],
    ["no idiom", "I keep an eye on the bees"],
    ["does not depend on household, income or belongings", "I read old books to the children"],
    ["presupposes no means: no music, money, garden or town of one's own", "I read old books in my garden"],
    ["does not depend on politics, religion, gender or age", "I read old books about the government"],
  ] as const;

  test.each(faults)("“%s” is broken, and no other, by: %s", (name, predicate) => {
    expect(itemRules.filter(({ isBroken }) => isBroken(predicate)).map((rule) => rule.name)).toEqual([name]);
  });
});

describe("reading ease", () => {
  test("is grade 6 or lower for every single prompt", () => {
    expect(predicates.flatMap(framed).filter((prompt) => readingGrade([prompt]) > 6)).toEqual([]);
  });
});

describe("the texts around the statements", () => {
  test("name each value once and give its goal in 6 to 20 words", () => {
    const lengths = definition.values.map((value) => wordsOf(value.goal).length);
    expect(new Set(definition.values.map((value) => value.name.toLowerCase())).size).toBe(19);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(6);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(20);
  });
});

describe("the pairings", () => {
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

  test("are all neighbours and all opposites on the circle, weighted by their angle", () => {
    expect(definition.pairings).toEqual(expected);
    expect(definition.pairings).toHaveLength(76);
  });
});
