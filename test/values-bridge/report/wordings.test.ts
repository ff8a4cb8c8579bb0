// What a definition says of values and archetypes, as far as it is translated.
import { expect, test } from "vitest";
import type { Translation } from "../../../src/products/values-bridge/definition/definition.ts";
import { reportModel } from "../../../src/products/values-bridge/report/report.ts";
import { answersWith, valueIn } from "../../support/reports/reports.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { inputOf } from "../../support/values-bridge/simulated-people.ts";

/** A report by a definition whose German translation is another one. */
function reportIn(locale: string, change: (german: Translation) => Translation = (german) => german) {
  const definition = { ...longForm(), translations: (longForm().translations ?? []).map(change) };
  const answers = answersWith({ 15: [24, 6], 16: [24, 8], 17: [24, 8], 4: [0, 12], 5: [0, 12], 6: [0, 12] });
  return reportModel(inputOf(definition, answers, { locales: [locale] }));
}

/** A translation of what people answer, and of nothing else. */
function bare({ archetypes: _, unresolvedArchetype: __, ...german }: Translation): Translation {
  return { ...german, values: german.values.map(({ id, predicates }) => ({ id, predicates })) };
}

test("translated texts are in the language of the report", () => {
  const report = reportIn("de-CH");
  const [german] = longForm().translations ?? [];
  expect(report.title).toEqual({ text: german?.title, language: "de" });
  expect(report.scale).toMatchObject({ lowest: { text: "Stimmt gar nicht" }, highest: { text: "Stimmt völlig" } });
  expect(valueIn(report, 15).name).toEqual({ text: "Verlässlichkeit", language: "de" });
  expect(valueIn(report, 15).goal).toMatchObject({ language: "de" });
  expect(report.summary.archetype).toMatchObject({ name: { text: "Neue Wege", language: "de" } });
  expect(report.summary.sentences[0]).toEqual(
    expect.stringMatching(/^Unter Ihren höchsten Bewertungen .*: Fürsorge, Verlässlichkeit und Gerechtigkeit/),
  );
});

test("untranslated texts are in the language of the definition, and marked as such", () => {
  const report = reportIn("de", bare);
  expect(report.title.language).toBe("de");
  expect(valueIn(report, 15).name).toEqual({ text: "Reliability", language: "en" });
  expect(valueIn(report, 15).goal).toMatchObject({ language: "en" });
  expect(report.summary.archetype).toMatchObject({
    name: { text: "Pathbuilder", language: "en" },
    summary: { language: "en" },
  });
});

test("a translation that the report is not written in is not mixed into it", () => {
  expect(reportIn("en").values.every(({ name }) => name.language === "en")).toBe(true);
  expect(reportIn("ar-XB").values.every(({ name }) => name.language === "en")).toBe(true);
});
