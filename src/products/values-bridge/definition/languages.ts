// The languages of a definition, and how far its translations have come.
import { type TranslationState, translationStates } from "../quality/model.ts";
import type { Definition } from "./definition.ts";

/** A language that statements are shown in. */
export interface StatementLanguage {
  /** BCP 47 tag. */
  readonly language: string;
  /** Null: the language that the statements were written in. */
  readonly translationState: TranslationState | null;
}

/** That of the definition first, then those of its translations. */
export function languagesOf({
  language,
  translations = [],
}: Pick<Definition, "language" | "translations">): StatementLanguage[] {
  const translated = translations.map(({ language, state = "draft" }) => ({ language, translationState: state }));
  return [{ language, translationState: null }, ...translated];
}

/**
 * The state of the statements that people answered in a language. If the language is none of these it is not known, and any
 * of them may have been theirs: then it is the least state of all.
 * @returns null if they answered no translation
 */
export function stateIn(languages: readonly StatementLanguage[], language: string): TranslationState | null {
  const shown = languages.find((each) => each.language === language);
  if (shown !== undefined) return shown.translationState;
  const stated = new Set(languages.map(({ translationState }) => translationState));
  return translationStates.find((state) => stated.has(state)) ?? null;
}
