// How texts for people are kept and filled: catalogues of a language, places for values, forms for numbers.
import { once } from "../once.ts";
import { matchLanguage } from "./languages.ts";

/** A text that depends on a number, by the plural categories of its language; `other` is always there. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** The texts of one language, by name. Places for values are written `{name}`. */
export interface CatalogueOf<Texts> {
  /** BCP 47 tag. */
  readonly language: string;
  readonly texts: Texts;
}

/** The texts of one language, ready to be shown. */
export interface LanguageOf<Texts> {
  /** BCP 47 tag. */
  readonly tag: string;
  readonly texts: Texts;
  /** A text with its values put in. */
  readonly say: (text: string, values?: Readonly<Record<string, string | number>>) => string;
  /** The form of a text that suits the number; `{count}` stands for it. */
  readonly count: (text: Plural, count: number) => string;
}

/** The tag that the Unicode locale data gives to English written from right to left, for testing. */
export const pseudoLanguage = "ar-XB";

/**
 * The first catalogue of the preferences that there is, else the first one of all. The language for testing is chosen
 * only if it is the first preference.
 * @param preferred BCP 47 tags
 */
export function chooseCatalogue<Texts>(
  preferred: readonly string[],
  catalogues: readonly [CatalogueOf<Texts>, ...CatalogueOf<Texts>[]],
  pseudo: CatalogueOf<Texts>,
): CatalogueOf<Texts> {
  if (preferred[0] === pseudo.language) return pseudo;
  const tags = catalogues.map((each) => each.language);
  const tag = matchLanguage(preferred, tags);
  return catalogues.find((each) => each.language === tag) ?? catalogues[0];
}

/** A catalogue with the means to fill its texts. */
export function toLanguage<Texts>({ language: tag, texts }: CatalogueOf<Texts>): LanguageOf<Texts> {
  const plurals = once(() => new Intl.PluralRules(tag));
  const say: LanguageOf<Texts>["say"] = (text, values = {}) =>
    text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
  const count: LanguageOf<Texts>["count"] = (text, number) =>
    say(text[plurals().select(number)] ?? text.other, { count: number });
  return { tag, texts, say, count };
}

/** Turns the direction of what it encloses (Unicode bidirectional algorithm). */
const rightToLeft = "\u202e";
const end = "\u202c";

/** A catalogue of the language for testing: the words of another one as a right-to-left language would show them. */
export function turnedCatalogue<Texts extends object>({ texts }: CatalogueOf<Texts>): CatalogueOf<Texts> {
  const turnedTexts = Object.entries(texts).map(([name, text]) => [name, turned(text)]);
  return { language: pseudoLanguage, texts: Object.fromEntries(turnedTexts) as Texts };
}

function turned(text: string | Plural): string | Plural {
  if (typeof text === "string") return text.replace(/[^{}\s]+(?![^{]*\})/g, (word) => `${rightToLeft}${word}${end}`);
  return Object.fromEntries(Object.entries(text).map(([category, each]) => [category, turned(each)])) as Plural;
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
