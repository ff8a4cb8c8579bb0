// The texts of a definition on its values and archetypes, in the language of the report as far as translated.
import { matchLanguage } from "../../../../kernel/languages.ts";
import type { Definition } from "../../definition/definition.ts";
import { namesIn, type WordedText, wordedIn } from "../../definition/names.ts";

export interface DefinitionWords {
  readonly title: WordedText;
  /** Labels of the lowest and the highest rating. */
  readonly lowest: WordedText;
  readonly highest: WordedText;
  readonly nameOf: (valueId: number) => WordedText;
  readonly goalOf: (valueId: number) => WordedText;
  /** A statement of the value. @param predicate in the definition's own language */
  readonly predicateOf: (valueId: number, predicate: string) => WordedText;
  readonly archetypeOf: (archetypeId: number) => { readonly name: WordedText; readonly summary: WordedText };
}

/** The words of a definition. @param language BCP 47 tag of the report @throws RangeError for an unknown id */
export function wordsOf(definition: Definition, language: string): DefinitionWords {
  const { translations = [] } = definition;
  const tag = matchLanguage([language], [definition.language, ...translations.map((each) => each.language)]);
  const translation = translations.find((each) => each.language === tag);
  const { values, archetypes } = namesIn(definition, translation);
  const worded = wordedIn(definition, translation);
  const label = (index: number) => worded(definition.scale.labels.at(index), translation?.labels.at(index));
  return {
    title: worded(definition.title, translation?.title),
    lowest: label(0),
    highest: label(-1),
    nameOf: (id) => found(values, id, "value").name,
    goalOf: (id) => found(values, id, "value").goal,
    predicateOf(id, predicate) {
      const { items } = found(definition.values, id, "value");
      const translated = translation?.values.find((each) => each.id === id)?.predicates;
      return worded(predicate, translated?.[items.findIndex((item) => item.predicate === predicate)]);
    },
    archetypeOf: (id) => found(archetypes, id, "archetype"),
  };
}

function found<T extends { readonly id: number }>(list: readonly T[], id: number, what: string): T {
  const entry = list.find((each) => each.id === id);
  if (entry === undefined) throw new RangeError(`the definition has no ${what} ${id}`);
  return entry;
}
