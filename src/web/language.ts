// The language of a page: its texts, and the way it is written.
import { matchLanguage, maxPreferences } from "../contract/languages.ts";
import { english } from "./catalogue/english.ts";
import { german } from "./catalogue/german.ts";
import { pseudoRightToLeft } from "./catalogue/pseudo.ts";
import type { Catalogue, Plural, Texts } from "./catalogue/texts.ts";

const catalogues: readonly Catalogue[] = [english, german];

/** The texts of one language, ready to be shown. */
export interface Language {
  /** BCP 47 tag. */
  readonly tag: string;
  readonly texts: Texts;
  /** A text with its values put in. */
  readonly say: (text: string, values?: Readonly<Record<string, string | number>>) => string;
  /** The form of a text that suits the number; `{count}` stands for it. */
  readonly count: (text: Plural, count: number) => string;
}

/** The first language of the preferences that there is, else English. @param preferred BCP 47 tags */
export function languageFor(preferred: readonly string[]): Language {
  if (preferred[0] === pseudoRightToLeft.language) return toLanguage(pseudoRightToLeft);
  const tag = matchLanguage(
    preferred,
    catalogues.map((each) => each.language),
  );
  return toLanguage(catalogues.find((each) => each.language === tag) ?? english);
}

/** A language in a header has one parameter, its quality. */
const maxParts = 3;

/** The tags of an Accept-Language header, the preferred one first. Of a longer header the first 32 count. */
export function acceptedLanguages(header: string | undefined): string[] {
  return (header ?? "")
    .split(",", maxPreferences)
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";", maxParts).map((each) => each.trim());
      const quality = parameters.find((each) => each.startsWith("q="));
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
    })
    .filter(({ tag, quality }) => tag !== "" && tag !== "*" && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag);
}

const rightToLeftScripts: ReadonlySet<string> = new Set([
  "Adlm",
  "Arab",
  "Hebr",
  "Mand",
  "Nkoo",
  "Rohg",
  "Syrc",
  "Thaa",
]);

/** Whether the language is written from left to right or the other way. */
export function directionOf(tag: string): "ltr" | "rtl" {
  try {
    return rightToLeftScripts.has(new Intl.Locale(tag).maximize().script ?? "") ? "rtl" : "ltr";
  } catch {
    return "ltr";
  }
}

function toLanguage({ language: tag, texts }: Catalogue): Language {
  const plurals = new Intl.PluralRules(tag);
  const say: Language["say"] = (text, values = {}) =>
    text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
  const count: Language["count"] = (text, number) => say(text[plurals.select(number)] ?? text.other, { count: number });
  return { tag, texts, say, count };
}
