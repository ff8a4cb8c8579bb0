// The language of a page: its texts, and how a browser asks for it.
import { type CatalogueOf, chooseCatalogue, type LanguageOf, toLanguage } from "../../presentation/phrases.ts";
import german from "./de.json" with { type: "json" };
import english from "./en.json" with { type: "json" };
import spanish from "./es.json" with { type: "json" };
import french from "./fr.json" with { type: "json" };
import italian from "./it.json" with { type: "json" };
import dutch from "./nl.json" with { type: "json" };

/** Every text of the hosted pages, by name: those that English has. */
export type Texts = typeof english.texts;

/** The texts of one language. */
export type Catalogue = CatalogueOf<Texts>;

/** The texts of one language, ready to be shown. */
export type Language = LanguageOf<Texts>;

/** The languages of the pages; the first is for who prefers none of them. */
export const catalogues: readonly [Catalogue, ...Catalogue[]] = [english, german, spanish, french, italian, dutch];

/** The first language of the preferences that there is, else English. @param preferred BCP 47 tags */
export function languageFor(preferred: readonly string[]): Language {
  return toLanguage(chooseCatalogue(preferred, catalogues));
}
