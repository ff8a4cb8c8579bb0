// The language of a page: its texts, and how a browser asks for it.
import { chooseCatalogue, type LanguageOf, toLanguage } from "../contract/phrases.ts";
import { english } from "./catalogue/english.ts";
import { german } from "./catalogue/german.ts";
import { pseudoRightToLeft } from "./catalogue/pseudo.ts";
import type { Texts } from "./catalogue/texts.ts";

/** The texts of one language, ready to be shown. */
export type Language = LanguageOf<Texts>;

/** The first language of the preferences that there is, else English. @param preferred BCP 47 tags */
export function languageFor(preferred: readonly string[]): Language {
  return toLanguage(chooseCatalogue(preferred, [english, german], pseudoRightToLeft));
}

/** The tags of an Accept-Language header, the preferred one first. */
export function acceptedLanguages(header: string | undefined): string[] {
  return (header ?? "")
    .split(",")
    .slice(0, 20)
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((each) => each.trim());
      const quality = parameters.find((each) => each.startsWith("q="));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ tag, quality }) => tag !== "" && tag !== "*" && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}
