// docs/instrument.md: every note is about the words that are asked, and what the page counts is so.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import valuesBridge from "../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import valuesBridge1 from "../../src/products/values-bridge/definition/values-bridge-1.json" with { type: "json" };
import { instrumentParts, readItemNotes } from "../../tools/docs/pages/instrument-page.ts";
import { changed } from "../support/values-bridge/definition.ts";

const definition = valuesBridge as unknown as Definition;
const before = valuesBridge1 as unknown as Definition;
const notes = readItemNotes();
const page = readFileSync("docs/instrument.md", "utf8");

/** The statement with the number `value.item`. */
function statementAt({ values }: Definition, place: string) {
  const [value = 0, item = 0] = place.split(".").map(Number);
  return values.find(({ id }) => id === value)?.items[item - 1];
}

describe("the notes on the statements", () => {
  test("are one for each statement, in order", () => {
    const places = definition.values.flatMap(({ id, items }) => items.map((_, index) => `${id}.${index + 1}`));
    expect(notes.map(({ item }) => item)).toEqual(places);
  });

  test("do not go with other words: a statement that is changed needs another note", () => {
    const reworded = changed(definition, {
      "/values/4/items/2/predicate": "I reach the goals of others",
    }) as Definition;
    expect(() => instrumentParts(reworded, before)).toThrow("the note on 5.3 is about other words than");
    expect(() => instrumentParts(definition, before, notes.slice(1))).toThrow("no note on statement 1.1");
  });

  test("lead each inverse statement, and no other, towards a value on the other side of the circle", () => {
    const isConflict = (one: number, other: number) =>
      definition.pairings.some(
        ({ kind, values }) => kind === "conflict" && values.includes(one) && values.includes(other),
      );
    for (const { item, towards } of notes) {
      const inverse = statementAt(definition, item)?.inverse;
      expect([item, towards !== undefined]).toEqual([item, inverse]);
      if (towards !== undefined) expect([item, isConflict(Number.parseInt(item, 10), towards)]).toEqual([item, true]);
    }
  });

  test("say why the words of version 1 went wherever they did, and nowhere else", () => {
    const went = notes.filter(
      ({ item }) => statementAt(definition, item)?.predicate !== statementAt(before, item)?.predicate,
    );
    expect(notes.filter(({ reworded }) => reworded !== undefined)).toEqual(went);
    expect(page).toContain(`Of 76 statements ${went.length} have new words.`);
  });
});

test("the statements that the page says a review named have new words", () => {
  const [, list = ""] = /were named by a review: ([\d., \nand]+)\. The others/.exec(page) ?? [];
  const named = list.match(/\d+\.\d/g) ?? [];
  expect(named).toHaveLength(22);
  expect(page).toContain(`${named.length} of them were named by a review`);
  const kept = notes.filter(({ reworded }) => reworded === undefined).map(({ item }) => item);
  expect(named.filter((place) => kept.includes(place))).toEqual([]);
});
