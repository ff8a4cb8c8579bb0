// The language that suits a person best.
import { expect, test } from "vitest";
import { matchLanguage, parseAcceptedLanguages } from "../../../src/kernel/languages.ts";
import { catalogues, chooseLanguage } from "../../../src/pages/catalogue/language.ts";
import { findDirection } from "../../../src/presentation/phrases.ts";
import { describeCatalogues } from "../../support/catalogues.ts";

const [english, ...translations] = catalogues;

test.each<[string[], string[], string | undefined]>([
  [["de"], ["en", "de"], "de"],
  [["de-AT"], ["en", "de"], "de"],
  [["DE-at-1996"], ["en", "de"], "de"],
  [["de_DE"], ["en", "de"], "de"],
  [["zh_hant_TW"], ["zh", "zh-Hant"], "zh-Hant"],
  [["pt"], ["en", "pt-BR"], "pt-BR"],
  [["pt-PT"], ["en", "pt-BR"], "pt-BR"],
  [["zh-Hant-TW"], ["zh", "zh-Hant"], "zh-Hant"],
  [["fr", "de"], ["en", "de"], "de"],
  [["fr"], ["en", "de"], undefined],
  [["!", "", "*", "de"], ["en", "de"], "de"],
  [[], ["en"], undefined],
  [["den"], ["de"], undefined],
])("%j of %j is %s", (preferred, available, expected) => {
  expect(matchLanguage(preferred, available)).toBe(expected);
});

test("a browser that writes de_DE gets German", () => {
  expect(chooseLanguage(parseAcceptedLanguages("de_DE,en;q=0.5")).tag).toBe("de");
});

test("an overlong language tag is skipped", () => {
  const subtags = (count: number) => Array.from({ length: count }, (_, index) => `a${index}aaaaaa`).join("-");
  expect(matchLanguage([`de-x-${subtags(3)}`], ["de"])).toBe("de");
  expect(matchLanguage([`de-x-${subtags(4)}`, "en"], ["de", "en"])).toBe("en");
});

test("only the first 32 tags of a longer list are read", () => {
  const others = Array.from({ length: 31 }, () => "fr");
  expect(matchLanguage([...others, "de"], ["en", "de"])).toBe("de");
  expect(matchLanguage([...others, "fr", "de"], ["en", "de"])).toBeUndefined();
  expect(parseAcceptedLanguages([...others, "de"].join(","))).toHaveLength(32);
  expect(parseAcceptedLanguages([...others, "fr", "de"].join(","))).not.toContain("de");
});

test.each<[string | undefined, string[]]>([
  ["de-AT,de;q=0.9,en;q=0.8", ["de-AT", "de", "en"]],
  ["en;q=0.2, de;q=0.9 , fr", ["fr", "de", "en"]],
  ["de;q=0, en", ["en"]],
  ["*, en;q=0.1", ["en"]],
  ["", []],
  [undefined, []],
  ["de;q=often, en;q=0.5", ["en"]],
])("the header %j has the tags %j, by preference", (header, tags) => {
  expect(parseAcceptedLanguages(header)).toEqual(tags);
});

test.each([
  ["en", "ltr"],
  ["ar", "rtl"],
  ["he-IL", "rtl"],
  ["fa", "rtl"],
  ["ur", "rtl"],
  ["az", "ltr"],
  ["az-Arab", "rtl"],
  ["not a tag", "ltr"],
])("%s is written %s", (tag, direction) => {
  expect(findDirection(tag)).toBe(direction);
});

/** Texts that are written as in English, by language. */
const same: Readonly<Record<string, readonly string[]>> = { de: ["testData"], fr: ["testData"], nl: ["testData"] };

describeCatalogues(english, translations, same);

test("numbers decide between the forms of a text, and values take their places", () => {
  const { texts, say, formatCount } = chooseLanguage(["de"]);
  expect(formatCount(texts.duration, 1)).toBe("Etwa 1 Minute");
  expect(formatCount(texts.duration, 15)).toBe("Etwa 15 Minuten");
  expect(say(texts.progress, { given: 0, total: 152 })).toBe("0 von 152 beantwortet");
  expect(say(texts.use, { partner: "{given} $& Söhne" })).toContain("{given} $& Söhne");
});
