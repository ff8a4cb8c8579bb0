// The rules of good statements, held over the instrument that is shipped.
import { describe, expect, test } from "vitest";
import type { Definition } from "../../../src/values-bridge/definition/definition.ts";
import valuesBridge from "../../../src/values-bridge/definition/values-bridge.json" with { type: "json" };
import { readingGrade, syllables, wordsOf } from "../../support/readability.ts";

const definition = valuesBridge as unknown as Definition;
const items = definition.values.flatMap((value) => value.items);
const predicates = items.map((item) => item.predicate);
const forward = items.filter((item) => !item.inverse).map((item) => item.predicate);

/** Words that join two claims or turn one round; contractions of "not" are caught by their ending. */
const bannedWords = new Set(["and", "or", "nor", "because", "not", "cannot", "never", "always"]);
const negations = new Set(["no", "none", "nobody", "nothing", "nowhere", "neither"]);
/** Words that compete with the response scale. */
const frequencyWords = new Set(
  (
    "often seldom rarely hardly scarcely sometimes usually normally mostly frequently occasionally regularly " +
    "constantly generally typically ever daily weekly monthly yearly"
  ).split(" "),
);
/** Words that carry no content of their own. */
const functionWords = new Set(
  (
    "a about after am among an any anyone are as at be been before being but by can could do does each even few for " +
    "from had has have he her his how i if in into is it its just less many me mine more most much my of on once one " +
    "out own she so some someone something than that the their them these they this those to until up was we were " +
    "what when where which while who whose with without would you your"
  ).split(" "),
);

function framed(predicate: string): string[] {
  return definition.frames.map((frame) => frame.text.replace("{predicate}", () => predicate));
}

function containing(texts: readonly string[], isBad: (word: string) => boolean): string[] {
  return texts.filter((text) => wordsOf(text).some(isBad));
}

/** The words of a predicate that carry its content, without their endings. */
function contentWords(predicate: string): Set<string> {
  const stems = wordsOf(predicate)
    .filter((word) => !functionWords.has(word))
    .map((word) => word.replace(/['’]s$/, "").replace(/(?<=..)(?:ies|ing|ly|ed|es|s|e|y)$/, ""));
  return new Set(stems);
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

  test("complete the frame: no capital but I, no full stop, single spaces", () => {
    const shape = /^(?:I|[a-z]+)(?:,? (?:I|[a-z]+(?:'[a-z]+)?(?:-[a-z]+)*))+$/;
    expect(predicates.filter((predicate) => !shape.test(predicate))).toEqual([]);
  });

  test("speak of the person who answers", () => {
    expect(containing(predicates, (word) => ["he", "she", "his", "her", "him"].includes(word))).toEqual([]);
    expect(predicates.filter((text) => !wordsOf(text).some((word) => ["i", "me", "my"].includes(word)))).toEqual([]);
  });

  test("have 4 to 14 words", () => {
    const lengths = predicates.map((predicate) => wordsOf(predicate).length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(4);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(14);
  });

  test("make one claim, in plain words: none of the banned words", () => {
    expect(containing(predicates, (word) => bannedWords.has(word) || /n['’]t$/.test(word))).toEqual([]);
  });

  test("negate nothing where they are forward", () => {
    expect(containing(forward, (word) => negations.has(word))).toEqual([]);
  });

  test("leave how often to the response scale", () => {
    expect(containing(predicates, (word) => frequencyWords.has(word))).toEqual([]);
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
});

describe("reading ease", () => {
  test("is grade 6 or lower for every single prompt", () => {
    expect(predicates.flatMap(framed).filter((prompt) => readingGrade([prompt]) > 6)).toEqual([]);
  });

  test("is measured on syllables as spoken", () => {
    const spoken = { I: 1, people: 2, dishes: 2, serves: 1, waited: 2, loved: 1, family: 3, curious: 3, ideas: 3 };
    expect(Object.fromEntries(Object.keys(spoken).map((word) => [word, syllables(word)]))).toEqual(spoken);
    expect(syllables("inconvenient")).toBe(4);
    expect(syllables("someone's")).toBe(2);
  });

  test("follows the published formula", () => {
    // 6 words, 8 syllables, 1 sentence.
    expect(readingGrade(["The family has a small house."])).toBeCloseTo(0.39 * 6 + 11.8 * (8 / 6) - 15.59, 10);
  });
});

describe("the texts around the statements", () => {
  test("are two frames that hold the predicate once, and a label for each of seven ratings", () => {
    expect(definition.frames.map((frame) => frame.lifeContext)).toEqual(["ideal", "current"]);
    expect(definition.frames.map((frame) => frame.text.split("{predicate}").length)).toEqual([2, 2]);
    expect([definition.scale.min, definition.scale.max]).toEqual([1, 7]);
    expect(new Set(definition.scale.labels).size).toBe(7);
  });

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

  test("put each value into four harmonies and four conflicts", () => {
    for (const { id } of definition.values) {
      const own = definition.pairings.filter((pairing) => pairing.values.includes(id));
      expect(own.map((pairing) => pairing.kind).toSorted()).toEqual([
        ...Array(4).fill("conflict"),
        ...Array(4).fill("harmony"),
      ]);
    }
  });
});

describe("the archetypes", () => {
  test("cover every gap from 0 upwards once in either direction", () => {
    for (const direction of ["focused", "plural"]) {
      const bands = definition.archetypes.filter((archetype) => archetype.direction === direction);
      expect(bands.map((band) => [band.gapFrom, band.gapBelow])).toEqual([
        [0, 10],
        [10, 17],
        [17, 25],
        [25, null],
      ]);
    }
  });

  test("have ids 1 to 9, the last for unresolved results, and names of their own", () => {
    const all = [...definition.archetypes, definition.unresolvedArchetype];
    expect(all.map((archetype) => archetype.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(new Set(all.map((archetype) => archetype.name)).size).toBe(9);
  });
});
