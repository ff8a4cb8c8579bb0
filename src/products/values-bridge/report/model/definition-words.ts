// The texts of a definition about values and archetypes, in the language of the report if available.
import { matchLanguage } from "../../../../kernel/languages.ts";
import type { Definition } from "../../definition/definition.ts";
import { listLanguages, translate } from "../../definition/wordings.ts";

/** A text with its language. */
export interface WordedText {
  readonly text: string;
  /** BCP 47 tag. */
  readonly language: string;
}

export interface DefinitionTexts {
  readonly title: WordedText;
  /** Labels of the lowest and the highest rating. */
  readonly lowest: WordedText;
  readonly highest: WordedText;
  readonly findValueName: (valueId: number) => WordedText;
  readonly findValueGoal: (valueId: number) => WordedText;
  /** A statement of the value. @param predicate in the definition's own language */
  readonly translatedPredicate: (valueId: number, predicate: string) => WordedText;
  readonly findArchetypeWords: (archetypeId: number) => { readonly name: WordedText; readonly summary: WordedText };
}

/** The words of a definition. @param language BCP 47 tag of the report @throws RangeError for an unknown id */
export function translateWords(definition: Definition, language: string): DefinitionTexts {
  const tags = listLanguages(definition).map((each) => each.language);
  const { title, scale, values, archetypes, unresolvedArchetype, ...rest } = translate(
    definition,
    matchLanguage([language], tags),
  );
  const worded = (text = ""): WordedText => ({ text, language: rest.language });
  return {
    title: worded(title),
    lowest: worded(scale.labels.at(0)),
    highest: worded(scale.labels.at(-1)),
    findValueName: (id) => worded(findById(values, id, "value").name),
    findValueGoal: (id) => worded(findById(values, id, "value").goal),
    translatedPredicate(id, predicate) {
      const { items } = findById(definition.values, id, "value");
      const place = items.findIndex((item) => item.predicate === predicate);
      return worded(findById(values, id, "value").items[place]?.predicate);
    },
    findArchetypeWords(id) {
      const { name, summary } = findById([...archetypes, unresolvedArchetype], id, "archetype");
      return { name: worded(name), summary: worded(summary) };
    },
  };
}

function findById<T extends { readonly id: number }>(list: readonly T[], id: number, what: string): T {
  const entry = list.find((each) => each.id === id);
  if (entry === undefined) throw new RangeError(`the definition has no ${what} ${id}`);
  return entry;
}
