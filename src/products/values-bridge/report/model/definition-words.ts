// The texts of a definition on its values and archetypes, in the language of the report as far as translated.
import { matchLanguage } from "../../../../kernel/languages.ts";
import type { Definition } from "../../definition/definition.ts";
import type { Worded } from "../report-model.ts";

export interface DefinitionWords {
  readonly title: Worded;
  /** Labels of the lowest and the highest rating. */
  readonly lowest: Worded;
  readonly highest: Worded;
  readonly nameOf: (valueId: number) => Worded;
  readonly goalOf: (valueId: number) => Worded;
  /** A statement of the value. @param predicate in the definition's own language */
  readonly predicateOf: (valueId: number, predicate: string) => Worded;
  readonly archetypeOf: (archetypeId: number) => { readonly name: Worded; readonly summary: Worded };
}

/** The words of a definition. @param language BCP 47 tag of the report @throws RangeError for an unknown id */
export function wordsOf(definition: Definition, language: string): DefinitionWords {
  const { translations = [], unresolvedArchetype } = definition;
  const tag = matchLanguage([language], [definition.language, ...translations.map((each) => each.language)]);
  const translation = translations.find((each) => each.language === tag);
  const worded = (own: string, translated: string | undefined): Worded =>
    translation === undefined || translated === undefined
      ? { text: own, language: definition.language }
      : { text: translated, language: translation.language };
  const labels = (index: number) => worded(definition.scale.labels.at(index) ?? "", translation?.labels.at(index));
  const valueWith = (id: number) => ({
    own: found(definition.values, id, "value"),
    translated: translation?.values.find((each) => each.id === id),
  });
  return {
    title: worded(definition.title, translation?.title),
    lowest: labels(0),
    highest: labels(-1),
    nameOf(id) {
      const { own, translated } = valueWith(id);
      return worded(own.name, translated?.name);
    },
    goalOf(id) {
      const { own, translated } = valueWith(id);
      return worded(own.goal, translated?.goal);
    },
    predicateOf(id, predicate) {
      const { own, translated } = valueWith(id);
      return worded(predicate, translated?.predicates[own.items.findIndex((item) => item.predicate === predicate)]);
    },
    archetypeOf(id) {
      const isUnresolved = id === unresolvedArchetype.id;
      const own = isUnresolved ? unresolvedArchetype : found(definition.archetypes, id, "archetype");
      const translated = isUnresolved
        ? translation?.unresolvedArchetype
        : translation?.archetypes?.find((each) => each.id === id);
      return { name: worded(own.name, translated?.name), summary: worded(own.summary, translated?.summary) };
    },
  };
}

function found<T extends { readonly id: number }>(list: readonly T[], id: number, what: string): T {
  const entry = list.find((each) => each.id === id);
  if (entry === undefined) throw new RangeError(`the definition has no ${what} ${id}`);
  return entry;
}
