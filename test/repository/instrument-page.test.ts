// docs/instrument.md: every note is about the words that are asked.
import { describe, expect, test } from "vitest";
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import valuesBridge from "../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { languagesOf } from "../../src/products/values-bridge/definition/wordings.ts";
import { translationStates } from "../../src/products/values-bridge/quality/model.ts";
import { instrumentParts, readItemNotes } from "../../tools/docs/pages/instrument-page.ts";
import { changed } from "../support/values-bridge/definition.ts";

const definition = valuesBridge as unknown as Definition;
const notes = readItemNotes();

describe("the notes on the statements", () => {
  test("are one for each statement, in order", () => {
    const places = definition.values.flatMap(({ id, items }) => items.map((_, index) => `${id}.${index + 1}`));
    expect(notes.map(({ item }) => item)).toEqual(places);
  });

  test("do not go with other words: a statement that is changed needs another note", () => {
    const reworded = changed(definition, {
      "/values/4/items/2/predicate": "I reach the goals of others",
    }) as Definition;
    expect(() => instrumentParts(reworded)).toThrow("the note on 5.3 is about other words than");
    expect(() => instrumentParts(definition, notes.slice(1))).toThrow("no note on statement 1.1");
  });

  test("say of each translation how far it has come, and call none tested that is not", () => {
    const languages = (definition.translations ?? []).map(({ language }) => language);
    for (const { item, translations } of notes) {
      expect([item, Object.keys(translations)]).toEqual([item, languages]);
      for (const state of Object.values(translations)) expect(translationStates).toContain(state);
    }
    expect(new Set(notes.map(({ translations }) => translations.de))).toEqual(new Set(["draft"]));
  });

  test("are no further than the service tells: the least of them is the state of the translation", () => {
    const told = languagesOf(definition).filter(({ translationState }) => translationState !== null);
    expect(told.length).toBeGreaterThan(0);
    for (const { language, translationState } of told) {
      const states = notes.map(({ translations }) => translations[language]);
      expect(translationStates.find((state) => states.includes(state))).toBe(translationState);
    }
  });
});
