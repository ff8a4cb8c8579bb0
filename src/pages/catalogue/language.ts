// The language of a page: its texts, and how a browser asks for it.
import { chooseCatalogue, type LanguageOf, toLanguage, turnedCatalogue } from "../../kernel/presentation/phrases.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";
import type { Catalogue, Texts } from "./texts.ts";

/** The texts of one language, ready to be shown. */
export type Language = LanguageOf<Texts>;

/** The first language of the preferences that there is, else English. @param preferred BCP 47 tags */
export function languageFor(preferred: readonly string[]): Language {
  return toLanguage(chooseCatalogue(preferred, [english, german], pseudoRightToLeft));
}

/** It is chosen by nobody who does not ask for it. */
export const pseudoRightToLeft: Catalogue = turnedCatalogue(english);
