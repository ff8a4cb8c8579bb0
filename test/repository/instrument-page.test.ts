// docs/instrument.md: every note is about the words that are asked.
import { describe, expect, test } from "vitest";
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import valuesBridge from "../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { instrumentParts, readItemNotes } from "../../tools/docs/pages/instrument-page.ts";
import { changed } from "../support/values-bridge/definition.ts";

const definition = valuesBridge as unknown as Definition;
const notes = readItemNotes();

describe("notes on the statements", () => {
  test("each statement has one note, in order", () => {
    const places = definition.values.flatMap(({ id, items }) => items.map((_, index) => `${id}.${index + 1}`));
    expect(notes.map(({ item }) => item)).toEqual(places);
  });

  test("a changed statement needs another note", () => {
    const reworded = changed(definition, {
      "/values/4/items/2/predicate": "I reach the goals of others",
    }) as Definition;
    expect(() => instrumentParts(reworded)).toThrow("the note on 5.3 is about other words than");
    expect(() => instrumentParts(definition, notes.slice(1))).toThrow("no note on statement 1.1");
  });
});
