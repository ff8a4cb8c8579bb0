// What an assessment calls its values and archetypes, in each of its languages.
import type { Definition, Translation } from "./definition.ts";

/** A text with the language it is in. */
export interface WordedText {
  readonly text: string;
  /** BCP 47 tag. */
  readonly language: string;
}

export interface ValueNames {
  readonly id: number;
  readonly name: WordedText;
  /** The motivational goal in one sentence. */
  readonly goal: WordedText;
}

export interface ArchetypeNames {
  readonly id: number;
  readonly name: WordedText;
  readonly summary: WordedText;
}

/** The names of an assessment in one language; a text that is not translated is in the definition's language. */
export interface Names {
  /** BCP 47 tag. */
  readonly language: string;
  /** In circular order. */
  readonly values: readonly ValueNames[];
  /** The unresolved one last. */
  readonly archetypes: readonly ArchetypeNames[];
}

/** The names of a valid definition: in its own language first, then in those of its translations. */
export function namesOf(definition: Definition): Names[] {
  return [undefined, ...(definition.translations ?? [])].map((translation) => namesIn(definition, translation));
}

/** The names in the language of a translation; undefined: in the definition's own. */
export function namesIn(definition: Definition, translation: Translation | undefined): Names {
  const worded = wordedIn(definition, translation);
  const unresolvedArchetype = { ...definition.unresolvedArchetype, translated: translation?.unresolvedArchetype };
  const resolvedArchetypes = definition.archetypes.map((archetype) => ({
    ...archetype,
    translated: translation?.archetypes?.find(({ id }) => id === archetype.id),
  }));
  return {
    language: translation?.language ?? definition.language,
    values: definition.values.map(({ id, name, goal }) => {
      const translated = translation?.values.find((value) => value.id === id);
      return { id, name: worded(name, translated?.name), goal: worded(goal, translated?.goal) };
    }),
    archetypes: [...resolvedArchetypes, unresolvedArchetype].map(({ id, name, summary, translated }) => ({
      id,
      name: worded(name, translated?.name),
      summary: worded(summary, translated?.summary),
    })),
  };
}

/** A function that takes the translated text where there is one. */
export function wordedIn({ language }: Definition, translation: Translation | undefined) {
  return (own = "", translated?: string): WordedText =>
    translation === undefined || translated === undefined
      ? { text: own, language }
      : { text: translated, language: translation.language };
}
