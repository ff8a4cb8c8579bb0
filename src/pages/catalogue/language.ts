// The language of a page: its texts, and how a browser asks for it.
import { chooseCatalogue, type LanguageOf, toLanguage } from "../../kernel/presentation/phrases.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";
import { pseudoRightToLeft } from "./pseudo.ts";
import type { Texts } from "./texts.ts";

/** The texts of one language, ready to be shown. */
export type Language = LanguageOf<Texts>;

/** The first language of the preferences that there is, else English. @param preferred BCP 47 tags */
export function languageFor(preferred: readonly string[]): Language {
  return toLanguage(chooseCatalogue(preferred, [english, german], pseudoRightToLeft));
}
