// What holds for the statements in every language.
import { expect, test } from "vitest";
import { readBackTranslations } from "../../../tools/docs/pages/instrument-page.ts";
import { builtIn as definition } from "../quality/models.ts";

const predicates = definition.values.flatMap((value) => value.items.map((item) => item.predicate));
const wordsOf = (text: string) => text.match(/\p{L}+/gu) ?? [];

function framed(predicate: string): string[] {
  return definition.frames.map((frame) => frame.text.replace("{predicate}", () => predicate));
}

test("each of 19 values has four statements: three forward, one inverse", () => {
  expect(definition.values.map((value) => value.id)).toEqual(Array.from({ length: 19 }, (_, index) => index + 1));
  for (const value of definition.values) {
    expect(value.items.map((item) => item.inverse).toSorted()).toEqual([false, false, false, true]);
    expect(value.items.map((item) => item.weight)).toEqual([1, 1, 1, 1]);
  }
});

test("statements are unique, whatever their case, as predicates and as prompts", () => {
  const prompts = predicates.flatMap(framed).map((prompt) => prompt.toLowerCase());
  expect(new Set(predicates.map((predicate) => predicate.toLowerCase())).size).toBe(76);
  expect(new Set(prompts).size).toBe(152);
});

const languages = [
  ["en", definition.values, predicates],
  ...(definition.translations ?? []).map(
    ({ language, values }) => [language, values, values.flatMap((value) => value.predicates)] as const,
  ),
] as const;

test.each(languages)("in %s are 76, all different, of 5 to 18 words, and goals have 6 to 20", (_, values, all) => {
  expect(new Set(all.map((predicate) => predicate.toLowerCase())).size).toBe(76);
  expect(all.filter((each) => wordsOf(each).length < 5 || wordsOf(each).length > 18)).toEqual([]);
  expect(all.filter((each) => / {2}|^ | $|[.!?]$/.test(each))).toEqual([]);
  expect(values.filter(({ goal }) => wordsOf(goal).length < 6 || wordsOf(goal).length > 20)).toEqual([]);
});

test("every translation after the German one has a translation back of each statement", () => {
  const shape = definition.values.map(({ items }) => items.length);
  const back = Object.entries(readBackTranslations());
  expect(back.map(([language]) => language)).toEqual(languages.slice(2).map(([language]) => language));
  for (const [, { frames, predicates: each }] of back) {
    expect([frames.length, each.map((ofValue) => ofValue.length)]).toEqual([2, shape]);
  }
});

const kinds = new Map([
  [1, "harmony"],
  [2, "harmony"],
  [8, "conflict"],
  [9, "conflict"],
]);
const expected = definition.values.flatMap(({ id: a }) =>
  definition.values.flatMap(({ id: b }) => {
    const distance = Math.min(b - a, 19 - (b - a));
    const kind = a < b ? kinds.get(distance) : undefined;
    const cosine = Math.abs(Math.cos((2 * Math.PI * distance) / 19));
    return kind === undefined ? [] : [{ id: 100 * a + b, values: [a, b], kind, kappa: Number(cosine.toFixed(4)) }];
  }),
);

test("the pairings are all neighbours and all opposites on the circle, weighted by their angle", () => {
  expect(definition.pairings).toEqual(expected);
  expect(definition.pairings).toHaveLength(76);
});
