// Texts for people: catalogues by language, with placeholders and plural forms.

import { matchLanguage } from "../kernel/languages.ts";
import { once } from "../kernel/once.ts";

/** A text that depends on a number, by the plural categories of its language. */
export type Plural = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** The texts of one language, by name. Placeholders are written `{name}`. */
export interface CatalogueOf<Texts> {
  /** BCP 47 tag. */
  readonly language: string;
  readonly texts: Texts;
}

/** The texts of one language, with functions to fill them. */
export interface LanguageOf<Texts> {
  /** BCP 47 tag. */
  readonly tag: string;
  readonly texts: Texts;
  /** A text with its placeholders filled. */
  readonly say: (text: string, values?: Readonly<Record<string, string | number>>) => string;
  /** The plural form for a number; `{count}` is its placeholder. */
  readonly formatCount: (text: Plural, count: number) => string;
}

/** The first preferred catalogue that is available, else the first one. @param preferred BCP 47 tags */
export function chooseCatalogue<Catalogue extends Pick<CatalogueOf<unknown>, "language">>(
  preferred: readonly string[],
  catalogues: readonly [Catalogue, ...Catalogue[]],
): Catalogue {
  const tag = matchLanguage(
    preferred,
    catalogues.map((each) => each.language),
  );
  return catalogues.find((each) => each.language === tag) ?? catalogues[0];
}

/** A catalogue with functions to fill its texts. */
export function toLanguage<Texts>({ language: tag, texts }: CatalogueOf<Texts>): LanguageOf<Texts> {
  const plurals = once(() => new Intl.PluralRules(tag));
  const say: LanguageOf<Texts>["say"] = (text, values = {}) =>
    text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));
  const formatCount: LanguageOf<Texts>["formatCount"] = (text, number) =>
    say(text[plurals().select(number)] ?? text.other, { count: number });
  return { tag, texts, say, formatCount };
}

/** The direction in which the language is written. */
export function findDirection(tag: string): "ltr" | "rtl" {
  try {
    return new Intl.Locale(tag).getTextInfo().direction ?? "ltr";
  } catch {
    return "ltr";
  }
}
