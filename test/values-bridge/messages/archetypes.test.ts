// Names in results, the explanation and the report of one session say the same of its archetype, whoever answered.
import { describe, expect, test } from "vitest";
import { chooseWording } from "../../../src/domain/assessments/published-assessment.ts";
import type { Instrument } from "../../../src/products/product.ts";
import { valuesBridge } from "../../support/values-bridge/opened.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { answeredEvery, population } from "../../support/values-bridge/simulated-people.ts";

/** People of each form, of whom some answer carelessly, too fast, or only a part. */
const people = 600;

/** All that is told of the archetype of somebody, in a language that reports are written in. */
function toldOf(
  { getQuality, explain, scorer, createReport, wordings }: Instrument,
  sheet: readonly (number | null)[],
  seconds: number | null,
  language: string,
) {
  const results = scorer.score(sheet);
  const assessed = getQuality().assess(sheet, seconds === null ? null : answeredEvery(seconds));
  const explanation = explain(sheet, results, assessed);
  const facts = { results, explanation, quality: assessed, assessmentVersion: 1, session: null };
  return {
    explained: explanation.archetype,
    names: valuesBridge.messages.toNames(results, chooseWording({ wordings }, [language]), explanation.archetype),
    reported: createReport({ ...facts, locales: [language] }).summary.archetype,
  };
}

// Answers to the short form are too few to be certain of one.
describe.each([
  ["long", ["none", "one", "two", "four"]],
  ["short", ["none", "two", "four"]],
] as const)("of answers to the %s form", (form, kinds) => {
  const definition = form === "long" ? longForm() : valuesBridge.toShortForm(longForm());
  if (definition === undefined) throw new Error("no short form");
  const instrument = valuesBridge.open(definition, 1);
  const languages = instrument.wordings.map(({ language }) => language);

  test("results name the archetypes that the report names, and one as certain only where the report has one name", () => {
    const counts = { none: 0, one: 0, two: 0, four: 0 };
    for (const [index, sheet] of population(definition, people, 11).entries()) {
      const seconds = index % 3 === 0 ? index % 12 : null;
      const language = languages[index % languages.length] ?? "en";
      const { explained, names, reported } = toldOf(instrument, sheet, seconds, language);
      const between = reported?.between.map(({ archetypeId, name }) => ({ archetypeId, name: name.text })) ?? [];
      const isOne = reported !== null && reported.name !== null && between.length === 0;

      expect(names.between.map(({ archetypeId, name }) => ({ archetypeId, name }))).toEqual(between);
      expect(names.archetypeCertain).toBe(isOne);
      if (isOne) expect(names.archetype?.name).toBe(reported.name?.text);
      for (const { name } of between.length === 2 ? names.between : []) expect(reported?.name?.text).toContain(name);
      if (between.length > 0) expect(names.between[0]).toEqual(names.archetype);
      expect([explained.certain, explained.between]).toEqual([isOne, between.map(({ archetypeId }) => archetypeId)]);
      counts[isOne ? "one" : between.length === 2 ? "two" : between.length === 4 ? "four" : "none"] += 1;
    }
    for (const kind of kinds) expect(counts[kind]).toBeGreaterThan(people / 20);
  });

  test("results without a report name their archetype, and say nothing of how certain it is", () => {
    const [sheet = []] = population(definition, 1, 12);
    const results = instrument.scorer.score(sheet);
    const { wordings } = instrument;
    const names = valuesBridge.messages.toNames(results, chooseWording({ wordings }, ["en"]), null);
    expect(names.archetype?.archetypeId).toBe(results.overall.archetypeId);
    expect([names.archetypeCertain, names.between]).toEqual([undefined, []]);
  });
});
