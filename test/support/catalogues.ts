// What holds for the translations of every catalogue of texts.
import { describe, expect, test } from "vitest";
import type { Plural } from "../../src/presentation/phrases.ts";

interface Catalogue {
  readonly language: string;
  readonly texts: object;
}

export const formsOf = (text: string | Plural): string[] => (typeof text === "string" ? [text] : Object.values(text));

/** The places for values in a text, sorted; of a plural text, those of each form. */
function placesIn(text: string | Plural): string[][] {
  return formsOf(text).map((form) => [...form.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name).sort());
}

/** @param same texts that are written as in English, by language */
export function describeCatalogues(
  english: Catalogue,
  others: readonly Catalogue[],
  same: Readonly<Record<string, readonly string[]>>,
): void {
  describe.each(others)("texts in $language", ({ language, texts }) => {
    const own: readonly [string, string | Plural][] = Object.entries(english.texts);
    const textsByKey = new Map<string, string | Plural>(Object.entries(texts));
    const pairs = own.map(([name, text]) => [name, text, textsByKey.get(name) ?? ""] as const);

    test("the catalogue has every text, in words of its own", () => {
      const alike = pairs.filter(
        ([, text, other]) => /\p{L}/u.test(JSON.stringify(text)) && JSON.stringify(text) === JSON.stringify(other),
      );
      expect(alike.map(([name]) => name)).toEqual(same[language] ?? []);
      expect(Object.keys(texts)).toEqual(Object.keys(english.texts));
    });

    if (language === "fr") {
      test("a colon, a semicolon, a question mark and guillemets have a space beside them that does not break", () => {
        const spaced = pairs.filter(([, , other]) =>
          formsOf(other).some((form) => /[^\u00a0][:;?!»]|«[^\u00a0]/.test(form)),
        );
        expect(spaced.map(([name]) => name)).toEqual([]);
      });
    }

    test("the catalogue has the same places for values as English", () => {
      for (const [name, text, other] of pairs) {
        const [firstPlaces] = placesIn(text);
        for (const places of placesIn(other)) expect([name, places]).toEqual([name, firstPlaces]);
      }
    });

    test("the catalogue has a form for every number", () => {
      const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const [name, , other] of pairs) {
        if (typeof other === "string") continue;
        expect([name, Object.keys(other).sort()]).toEqual([name, [...categories].sort()]);
      }
    });
  });
}
