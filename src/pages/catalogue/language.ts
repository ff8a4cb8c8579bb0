// The language of a page: its texts, and its choice.
import { type CatalogueOf, chooseCatalogue, type LanguageOf, toLanguage } from "../../presentation/phrases.ts";
import german from "./de.json" with { type: "json" };
import english from "./en.json" with { type: "json" };
import spanish from "./es.json" with { type: "json" };
import french from "./fr.json" with { type: "json" };
import italian from "./it.json" with { type: "json" };
import dutch from "./nl.json" with { type: "json" };

/** Texts by name; English has all. */
export type Texts = typeof english.texts;

/** The texts of one language. */
export type Catalogue = CatalogueOf<Texts>;

/** The texts of one language, with functions to fill them. */
export type Language = LanguageOf<Texts>;

/** The languages of the pages; the first is the default. */
export const catalogues: readonly [Catalogue, ...Catalogue[]] = [english, german, spanish, french, italian, dutch];

/** The first preferred language that is available, else English. @param preferred BCP 47 tags */
export function chooseLanguage(preferred: readonly string[]): Language {
  return toLanguage(chooseCatalogue(preferred, catalogues));
}
