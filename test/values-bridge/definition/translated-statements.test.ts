// The statements in every language: the same rules, as far as a program can hold them.
import { describe, expect, test } from "vitest";
import type { Definition, Translation } from "../../../src/products/values-bridge/definition/definition.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { readBackTranslations } from "../../../tools/docs/pages/instrument-page.ts";
import { englishRules, languageRules } from "../../support/values-bridge/translation-rules.ts";

const definition = valuesBridge as unknown as Definition;
const isInverse = definition.values.flatMap(({ items }) => items.map(({ inverse }) => inverse));

function translationInto(language: string, { translations }: Definition): Translation {
  const found = translations?.find((translation) => translation.language === language);
  if (found === undefined) throw new Error(`no translation into ${language}`);
  return found;
}

const wordsOf = (text: string) => text.toLowerCase().match(/\p{L}+/gu) ?? [];

test("every translation has rules for its language", () => {
  const languages = definition.translations?.map(({ language }) => language);
  expect(languageRules.map(({ language }) => language)).toEqual(languages);
});

test("every translation after the German one has a translation back of each statement", () => {
  const shape = definition.values.map(({ items }) => items.length);
  const back = Object.entries(readBackTranslations());
  expect(back.map(([language]) => language)).toEqual(languageRules.slice(1).map(({ language }) => language));
  for (const [, { frames, predicates }] of back) {
    expect([frames.length, predicates.map((each) => each.length)]).toEqual([2, shape]);
  }
});

describe.each([englishRules, ...languageRules])("statements in $language", (rules) => {
  const isEnglish = rules === englishRules;
  const predicates = isEnglish
    ? definition.values.flatMap(({ items }) => items.map(({ predicate }) => predicate))
    : translationInto(rules.language, definition).values.flatMap((value) => value.predicates);

  test("statements are main clauses: a verb near the front, and no full stop", () => {
    expect(predicates.filter((predicate) => !rules.clause.test(predicate))).toEqual([]);
  });

  test("statements are 76, all different, of 5 to 18 words with single spaces, in English of 6 to 16", () => {
    const lengths = predicates.map((predicate) => wordsOf(predicate).length);
    expect(new Set(predicates).size).toBe(76);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(isEnglish ? 6 : 5);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(isEnglish ? 16 : 18);
    expect(predicates.filter((predicate) => / {2}|^ | $/.test(predicate))).toEqual([]);
  });

  test("statements speak of the person who answers", () => {
    expect(predicates.filter((predicate) => !rules.own.test(predicate))).toEqual([]);
  });

  test.each(rules.words)("%s; the rule finds a violation", (_, pattern, fault) => {
    expect(predicates.filter((predicate) => pattern.test(predicate))).toEqual([]);
    expect(rules.words.filter(([, other]) => other.test(fault)).map(([, other]) => other)).toEqual([pattern]);
  });

  test("inverse statements use verbs of forward ones", () => {
    const forward = predicates.filter((_, index) => !isInverse[index]).map((each) => wordsOf(each).join(" "));
    const verbs = predicates.filter((_, index) => isInverse[index]).map(rules.verb);
    expect(
      verbs.filter((verb) => !forward.some((each) => each.split(" ").some((word) => word.startsWith(verb)))),
    ).toEqual([]);
  });

  test("statements use no content word in more than four of 76, and verbs of all work in no more than a quarter", () => {
    const plain = new Set(rules.plain.split(" "));
    const plainVerbs = rules.plainVerbs.split(" ");
    const counts = new Map<string, number>();
    for (const word of predicates.flatMap((predicate) => [...new Set(wordsOf(predicate))])) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const most = (word: string) => (plainVerbs.includes(word) ? predicates.length / 4 : 4);
    expect([...counts].filter(([word, count]) => count > most(word) && !plain.has(word))).toEqual([]);
  });
});

describe.each(languageRules)("names in $language", ({ language, polite, familiar }) => {
  const translation = translationInto(language, definition);
  const { values, archetypes, unresolvedArchetype } = translation;

  test("frames end in a colon and the statement", () => {
    expect(translation.frames.map(({ text }) => text.replace(/^[^:]+\S/, ""))).toEqual([
      " {predicate}.",
      " {predicate}.",
    ]);
  });

  test("texts address people as the hosted pages do", () => {
    const texts = [translation.title, ...[...archetypes, unresolvedArchetype].map(({ summary }) => summary)];
    expect(texts.filter((text) => familiar.test(text))).toEqual([]);
    expect(texts.filter((text) => !polite.test(text))).toEqual([]);
  });

  test("each goal has 6 to 20 words", () => {
    const lengths = values.map(({ goal }) => wordsOf(goal).length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(6);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(20);
  });
});
