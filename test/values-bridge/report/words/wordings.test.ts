// What a definition says of values and archetypes, in the language of a report.
import { expect, test } from "vitest";
import type { Definition } from "../../../../src/products/values-bridge/definition/definition.ts";
import { createReportModel } from "../../../../src/products/values-bridge/report/report.ts";
import { answersWith, valueIn } from "../../../support/reports/reports.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";
import { inputOf } from "../../../support/values-bridge/simulated-people.ts";

function reportIn(locale: string, { translations = [] }: Pick<Definition, "translations"> = longForm()) {
  const definition = { ...longForm(), translations };
  const answers = answersWith({ 15: [24, 6], 16: [24, 8], 17: [24, 8], 4: [0, 12], 5: [0, 12], 6: [0, 12] });
  return createReportModel(inputOf(definition, answers, { locales: [locale] }));
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

test("texts of a definition that is not translated are in its own language, and marked as such", () => {
  const report = reportIn("de", {});
  expect([report.language, report.title.language]).toEqual(["de", "en"]);
  expect(valueIn(report, 15).name).toEqual({ text: "Reliability", language: "en" });
  expect(valueIn(report, 15).goal).toMatchObject({ language: "en" });
  expect(report.summary.archetype).toMatchObject({
    name: { text: "Pathbuilder", language: "en" },
    summary: { language: "en" },
  });
});

test("a translation that the report is not written in is not mixed into it", () => {
  expect(reportIn("en").values.every(({ name }) => name.language === "en")).toBe(true);
});
