// Translations of an assessment: what is wrong with one is found, and what is sound is asked in the same order.
import { expect, test } from "vitest";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { arrangeQuestions } from "../../../src/products/values-bridge/definition/questions.ts";
import { findState, listLanguages, toWordings } from "../../../src/products/values-bridge/definition/wordings.ts";
import { changeMembers, soundDefinition, translatedDefinition } from "../../support/values-bridge/definition.ts";
import { findFaults, translationFaults } from "./faults.ts";

test.each(translationFaults)(
  "the change $changes of translations is these faults and nothing else: $faults",
  ({ changes, faults }) => {
    expect(findFaults(changeMembers(translatedDefinition(), changes))).toEqual(faults);
  },
);

test("sound translations have no fault", () => {
  expect(findFaults(translatedDefinition())).toEqual([]);
});

const wordings = toWordings(translatedDefinition(), 7);

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
  const tested = changeMembers(translatedDefinition(), { "/translations/0/state": "tested" });
  expect(findFaults(tested)).toEqual([]);
  const states = toWordings(tested as Definition, 7).map(({ translationState }) => translationState);
  expect(states).toEqual([null, "tested", "draft"]);
  expect(findFaults(changeMembers(tested, { "/translations/0/state": "finished" }))).toEqual([
    "#/translations/0/state must be one of: draft, reconciled, tested, equivalent",
  ]);
});

test("the least advanced translation counts where the language shown is not known", () => {
  const languages = (first: string, second: string) =>
    listLanguages({
      language: "en",
      translations: [
        { language: "de", state: first },
        { language: "ar", state: second },
      ] as never,
    });
  expect(findState(languages("tested", "reconciled"), "und")).toBe("reconciled");
  expect(findState(languages("equivalent", "equivalent"), "und")).toBe("equivalent");
  expect(findState(languages("tested", "reconciled"), "de")).toBe("tested");
  expect(findState(languages("tested", "reconciled"), "en")).toBeNull();
  expect(findState(listLanguages({ language: "en" }), "und")).toBeNull();
});

test("frame and statement of a wording together are the prompts of the API", () => {
  const [own] = toWordings(soundDefinition(), 7);
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

const [own, german] = toWordings(translatedDefinition(), 7).map(({ names }) => names);

test("the definition's own names come first, the unresolved archetype last", () => {
  expect(own?.values[1]).toMatchObject({ id: 2, name: "Daring", goal: "Living with Daring." });
  expect(own?.archetypes.map(({ id, name }) => [id, name])).toEqual([
    [1, "Near"],
    [2, "Woven"],
    [3, "Bound"],
    [4, "Adrift"],
    [5, "Open"],
  ]);
});

test("names of a translation have the ids of the definition", () => {
  expect(german?.values[1]).toMatchObject({ id: 2, name: "Wagemut", goal: "Ein Leben mit dem Wert Nummer 2." });
  expect(german?.archetypes[1]).toMatchObject({ id: 2, name: "Gewebt", summary: "Nah, in vielen Richtungen." });
  expect(german?.archetypes.at(-1)).toEqual({ id: 5, name: "Offen", summary: "Zu wenige Antworten." });
});
