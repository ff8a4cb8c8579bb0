// What is written on values: the headline, and paragraphs that claim no more than the answers show.
import { describe, expect, test } from "vitest";
import { writeHeadline } from "../../../../src/products/values-bridge/report/headline.ts";
import { collectFacts } from "../../../../src/products/values-bridge/report/model/facts.ts";
import { createReportModel } from "../../../../src/products/values-bridge/report/report.ts";
import { reportCatalogues } from "../../../../src/products/values-bridge/report/words/language.ts";
import {
  findPortrait,
  findPortraitState,
  portraits,
} from "../../../../src/products/values-bridge/report/words/portraits.ts";
import suggested from "../../../../src/products/values-bridge/report/words/steps.json" with { type: "json" };
import type { Points } from "../../../../tools/docs/made-up-answers.ts";
import { answersWith, reportWith, valueIn } from "../../../support/reports/reports.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";
import { inputOf, population, qualityOf } from "../../../support/values-bridge/simulated-people.ts";

const definition = longForm();

describe.each([...portraits])("paragraphs on values in %s", (language, written) => {
  const all = Object.values(written).flatMap((ofValue) => Object.values(ofValue));

  test("paragraphs are on the values of the shipped definition, in its order, wanted and lived in four ways", () => {
    expect(Object.keys(written)).toEqual(definition.values.map(({ name }) => name));
    const keys = Object.values(written).map((ofValue) => Object.keys(ofValue).join());
    expect(new Set(keys)).toEqual(new Set(["lived,missed,over,neither"]));
  });

  test("paragraphs say three things each, of which the last is a question, and no two say the same", () => {
    const texts = all.flatMap(({ high, cost, question }) => [high, cost, question]);
    expect(new Set(texts).size).toBe(3 * 4 * definition.values.length);
    for (const { high, cost, question } of all) {
      expect([high.endsWith("."), cost.endsWith("."), question.endsWith("?")]).toEqual([true, true, true]);
      // A sentence that stands in a column has to be read at a glance.
      for (const text of [high, cost, question]) expect(text.length).toBeLessThan(190);
    }
  });

  test("a value with another name has no paragraph, whatever its id", () => {
    const [first, ...others] = definition.values;
    const [facts] = collectFacts(inputOf(definition, answersWith({}))).values;
    if (first === undefined || facts === undefined) throw new Error("no value");
    const renamed = { ...definition, values: [{ ...first, name: "toString" }, ...others] };
    expect(findPortrait(renamed, facts, language)).toBeNull();
    expect(findPortrait(definition, facts, language)).toBe(written[first.name]?.neither);
  });
});

test("small steps are offered for the largest named differences, in every language three for each value and way", () => {
  const points = { 3: [24, 12], 15: [24, 8], 16: [8, 20], 17: [24, 17] } as const;
  for (const { language } of reportCatalogues) {
    const { steps, values } = reportWith(points, { locales: [language] });
    const named = values.filter(({ gap }) => gap?.named);
    const size = (id: number) => Math.abs(named.find(({ valueId }) => valueId === id)?.gap?.steps ?? 0);
    expect(named.length).toBeGreaterThan(3);
    expect(steps?.offers.map(({ valueId }) => size(valueId))).toEqual(
      named
        .map(({ valueId }) => size(valueId))
        .sort((one, other) => other - one)
        .slice(0, 3),
    );
  }
  for (const written of Object.values(suggested)) {
    expect(Object.keys(written)).toEqual(definition.values.map(({ name }) => name));
    const all = Object.values(written).flatMap(({ more, less }) => [...more, ...less]);
    expect(new Set(all).size).toBe(6 * definition.values.length);
    for (const step of all) expect(step).toMatch(/^\p{Lu}.{15,75}[^.!?]$/u);
  }
});

test("no step is offered without a named difference, and a chosen one is shown all the same", () => {
  expect(reportWith({}).steps).toBeNull();
  // All values are wanted alike, so nothing is told apart, however far life is from two of them.
  const alike = reportWith({ 1: [24, 0], 2: [24, 4] }, {}, [24, 24]);
  expect([alike.summary.silence, alike.steps]).toEqual([expect.stringMatching(/./), null]);
  expect(alike.values.some(({ gap }) => gap?.named)).toBe(true);
  const chosen = { step: "Sow one plant", lookAgainOn: null };
  const { steps } = reportWith({}, { steps: { chosen, earlier: null } });
  expect(steps).toMatchObject({ offers: [], chosen: { text: "Your step: Sow one plant", again: null }, earlier: null });
});

test.each<[string, Points, boolean, ReturnType<typeof findPortraitState>]>([
  ["wanted 7, today 7", [24, 24], true, "lived"],
  ["wanted 7, today 6.5", [24, 22], true, "lived"],
  ["wanted 7, today 6: no proof of either", [24, 20], true, "neither"],
  ["wanted 7, today 5.5", [24, 18], true, "missed"],
  ["wanted 4, today 6", [12, 20], false, "over"],
  ["wanted 2, today 2: not among what is wanted most", [4, 4], false, "neither"],
  ["wanted 7, today not known", [24, null], true, "neither"],
])("a value that is %s", (_name, points, mostWanted, state) => {
  const { gap } = valueIn(reportWith({ 5: points }), 5);
  expect(findPortraitState({ gap, mostWanted })).toBe(state);
});

test("a leading value has the paragraph of its difference, all others have none", () => {
  const points = { 15: [24, 12], 16: [24, 24], 17: [19, 19] } as const;
  const answers = answersWith(points);
  const { mostWanted } = reportWith(points, { quality: qualityOf(definition, answers), locales: ["de"] });
  const portrayed = mostWanted?.entries.filter(({ portrait }) => portrait !== null);
  expect(portrayed).toEqual(mostWanted?.entries.filter(({ leading }) => leading));
  const found = new Map(portrayed?.map(({ valueId, portrait }) => [valueId, portrait]));
  expect(found.get(15)).toEqual(portraits.get("de")?.Reliability?.missed);
  expect(found.get(16)).toEqual(portraits.get("de")?.Caring?.lived);
});

test("the headline names the first of the values that lead, in words of the report's language", () => {
  const longDefinition = longForm();
  const kinds = new Set<string>();
  for (const answers of population(longDefinition, 60, 9)) {
    const quality = qualityOf(longDefinition, answers, null);
    const model = createReportModel(inputOf(longDefinition, answers, { quality, locales: ["de"] }));
    const { mostWanted, values, summary } = model;
    const leading = (mostWanted?.entries ?? []).filter((entry) => entry.leading);
    if (leading.length === 0) continue;
    kinds.add(summary.archetype?.between.length ? "between archetypes" : "one archetype");
    const names = leading.map(({ valueId }) => values.find((value) => value.valueId === valueId)?.name.text ?? "");
    const headline = writeHeadline(model);
    const shown = names.filter((name) => headline?.text.includes(name));
    expect(headline).toEqual({ text: shown.join(", ").replace(/, (?=[^,]+$)/, " und "), language: "de" });
    expect(names.slice(0, shown.length)).toEqual(shown);
  }
  expect([...kinds].sort()).toEqual(["between archetypes", "one archetype"]);
});

test("the headline without leading values is an archetype with one name, and none if the answers lie between several", () => {
  const { mostWanted: _, ...model } = reportWith({ 1: [24, 12], 2: [10, 20] });
  const { archetype } = model.summary;
  if (archetype === null) throw new Error("these answers have an archetype");
  const told = (between: typeof archetype.between) =>
    writeHeadline({ ...model, mostWanted: null, summary: { ...model.summary, archetype: { ...archetype, between } } });
  expect(told([])).toEqual(archetype.name);
  expect(told([{ archetypeId: 1, name: { text: "Ahead", language: "en" }, text: "" }])).toBeNull();
  expect(writeHeadline(reportWith({}))).toBeNull();
});
