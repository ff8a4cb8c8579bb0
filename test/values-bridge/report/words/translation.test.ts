// A report on answers to a translation says how far that translation has come.
import { expect, test } from "vitest";
import type { Definition } from "../../../../src/products/values-bridge/definition/definition.ts";
import type { TranslationState } from "../../../../src/products/values-bridge/quality/model.ts";
import { createReportModel } from "../../../../src/products/values-bridge/report/report.ts";
import type { ReportInput } from "../../../../src/products/values-bridge/report/report-input.ts";
import { answersWith } from "../../../../tools/docs/made-up-answers.ts";
import { changeMembers, translatedDefinition } from "../../../support/values-bridge/definition.ts";
import { inputOf } from "../../../support/values-bridge/simulated-people.ts";

/** What stands between where the statements come from and their version. */
function told(more: Partial<ReportInput>, state?: TranslationState): readonly string[] {
  const small = translatedDefinition();
  const definition =
    state === undefined ? small : (changeMembers(small, { "/translations/0/state": state }) as Definition);
  const { source } = createReportModel(inputOf(definition, answersWith(definition, {}, [4, 4]), more));
  expect(source.length).toBeGreaterThan(1);
  return source.slice(1, -1);
}

test("a report says that the statements are a draft, in its own language, whichever that is", () => {
  expect(told({ shownLanguage: "de", locales: ["en"] })).toEqual([
    "The statements in German are a draft of a translation: nobody has tested whether they say the same as the original ones. Do not compare these results with those of people who answered in another language.",
  ]);
  expect(told({ shownLanguage: "ar", locales: ["de"] })).toEqual([
    expect.stringContaining("Die Aussagen auf Arabisch sind der Entwurf einer Übersetzung"),
  ]);
});

test("a report says how far the translation has come, and nothing once it measures the same", () => {
  const german = { shownLanguage: "de", locales: ["en"] };
  expect(told(german, "reconciled")).toEqual([expect.stringContaining("two translators agreed")]);
  expect(told(german, "tested")).toEqual([expect.stringContaining("tried with people")]);
  expect(told(german, "equivalent")).toEqual([]);
});

test("a report says nothing to people who answered the original statements, in whatever language they read it", () => {
  expect(told({ shownLanguage: "en", locales: ["en"] })).toEqual([]);
  expect(told({ shownLanguage: "en", locales: ["de"] })).toEqual([]);
});

test("a report speaks of the translation that it quotes, if it is not known which was shown", () => {
  expect(told({ locales: ["en"] })).toEqual([]);
  expect(told({ shownLanguage: null, locales: ["de"] })).toEqual([expect.stringContaining("auf Deutsch")]);
});
