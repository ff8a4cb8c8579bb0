// Translations of an assessment: what is wrong with one is found, and what is sound is asked in the same order.
import { describe, expect, test } from "vitest";
import { checkDefinition } from "../../../src/products/values-bridge/definition/check/check.ts";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { namesOf } from "../../../src/products/values-bridge/definition/names.ts";
import { arrangeQuestions } from "../../../src/products/values-bridge/definition/questions.ts";
import { languagesOf, stateIn, wordingsOf } from "../../../src/products/values-bridge/definition/wordings.ts";
import { changed, soundDefinition, translatedDefinition } from "../../support/values-bridge/definition.ts";
import { translationFaults } from "./faults.ts";

test.each(translationFaults)("the change %j of translations is one fault and nothing else: %s", (changes, fault) => {
  const found = checkDefinition(changed(translatedDefinition(), changes));
  expect(found.map(({ pointer, code, message }) => `${pointer} ${code} ${message}`)).toEqual([fault]);
});

test("sound translations have no fault", () => {
  expect(checkDefinition(translatedDefinition())).toEqual([]);
});

test("a value that is translated twice is reported, and so is the one left out for it", () => {
  const twice = changed(translatedDefinition(), { "/translations/0/values/1/id": 1 });
  expect(checkDefinition(twice).map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
    "#/translations/0/values/1/id duplicate_id",
    "#/translations/0/values incomplete_translation",
  ]);
});

describe("wordings of a definition", () => {
  const wordings = wordingsOf(translatedDefinition(), 7);

  test("the first wording is in the definition's own language, and all others ask the same questions in the same order", () => {
    expect(wordings.map(({ language }) => language)).toEqual(["en", "de", "ar"]);
    const ids = wordings.map(({ sections }) =>
      sections.map(({ statements }) => statements.map((each) => each.questionId)),
    );
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[2]).toEqual(ids[0]);
    expect(wordings.map(({ sections }) => sections.map(({ lifeContext }) => lifeContext))).toEqual(
      wordings.map(() => ["ideal", "current"]),
    );
  });

  test("wordings say how far each translation has come: a draft, unless it says more", () => {
    expect(wordings.map(({ translationState }) => translationState)).toEqual([null, "draft", "draft"]);
    const tested = changed(translatedDefinition(), { "/translations/0/state": "tested" });
    expect(checkDefinition(tested)).toEqual([]);
    const states = wordingsOf(tested as Definition, 7).map(({ translationState }) => translationState);
    expect(states).toEqual([null, "tested", "draft"]);
    expect(checkDefinition(changed(tested, { "/translations/0/state": "finished" }))).toMatchObject([
      { pointer: "#/translations/0/state" },
    ]);
  });

  test("the least advanced translation counts where the language shown is not known", () => {
    const languages = (first: string, second: string) =>
      languagesOf({
        language: "en",
        translations: [
          { language: "de", state: first },
          { language: "ar", state: second },
        ] as never,
      });
    expect(stateIn(languages("tested", "reconciled"), "und")).toBe("reconciled");
    expect(stateIn(languages("equivalent", "equivalent"), "und")).toBe("equivalent");
    expect(stateIn(languages("tested", "reconciled"), "de")).toBe("tested");
    expect(stateIn(languages("tested", "reconciled"), "en")).toBeNull();
    expect(stateIn(languagesOf({ language: "en" }), "und")).toBeNull();
  });

  test("frame and statement of a wording together are the prompts of the API", () => {
    const [own] = wordingsOf(soundDefinition(), 7);
    const sentences = own?.sections.flatMap(({ before, after, statements }) =>
      statements.map(({ questionId, text }) => [questionId, `${before} ${text}${after}`]),
    );
    expect(sentences).toEqual(arrangeQuestions(soundDefinition(), 7).map(({ id, prompt }) => [id, prompt]));
  });

  test("a wording has every text in its own language", () => {
    const [, german] = wordings;
    expect(german).toMatchObject({
      title: "Ein kleines Beispiel",
      choices: [{ id: 1, label: "Gar nicht" }, {}, {}, {}, { id: 5, label: "Völlig" }],
    });
    expect(german?.sections.map(({ before, after }) => [before, after])).toEqual([
      ["In dem Leben, das ich will,", "."],
      ["In meinem Leben heute", "."],
    ]);
    expect(german?.sections[0]?.statements[0]).toMatchObject({ position: 1, text: "habe ich Raum für Calm" });
  });
});

describe("names of a definition", () => {
  const [own, german, arabic] = namesOf(translatedDefinition());

  test("the definition's own names come first, each with its language", () => {
    expect(own?.language).toBe("en");
    expect(own?.values[1]).toEqual({
      id: 2,
      name: { text: "Daring", language: "en" },
      goal: { text: "Living with Daring.", language: "en" },
    });
    expect(own?.archetypes.map(({ id, name }) => [id, name.text])).toEqual([
      [1, "Near"],
      [2, "Woven"],
      [3, "Bound"],
      [4, "Adrift"],
      [5, "Open"],
    ]);
  });

  test("names are translated if the translation has them", () => {
    expect(german?.language).toBe("de");
    expect(german?.values[1]).toEqual({
      id: 2,
      name: { text: "Wagemut", language: "de" },
      goal: { text: "Ein Leben mit dem Wert Nummer 2.", language: "de" },
    });
    expect(german?.archetypes[1]).toEqual({
      id: 2,
      name: { text: "Gewebt", language: "de" },
      summary: { text: "Nah, in vielen Richtungen.", language: "de" },
    });
    expect(german?.archetypes.at(-1)?.name).toEqual({ text: "Offen", language: "de" });
  });

  test("names that the translation leaves out stay in the definition's language, and say so", () => {
    expect(arabic).toEqual({ ...own, language: "ar" });
  });
});
