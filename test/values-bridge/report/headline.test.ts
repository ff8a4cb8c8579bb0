// A report begins with what the person wants most.
import { expect, test } from "vitest";
import { headlineOf } from "../../../src/products/values-bridge/report/headline.ts";
import { reportModel } from "../../../src/products/values-bridge/report/report.ts";
import { reportWith } from "../../support/reports/reports.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { inputOf, population, qualityOf } from "../../support/values-bridge/simulated-people.ts";

test("the headline names the values that lead, in words of the report's language", () => {
  const definition = longForm();
  const kinds = new Set<string>();
  for (const answers of population(definition, 60, 9)) {
    const quality = qualityOf(definition, answers, null);
    const model = reportModel(inputOf(definition, answers, { quality, locales: ["de"] }));
    const { mostWanted, values, summary } = model;
    const leading = (mostWanted?.entries ?? []).filter((entry) => entry.leading);
    if (leading.length === 0) continue;
    kinds.add(summary.archetype?.between.length ? "between archetypes" : "one archetype");
    const names = leading.map(({ valueId }) => values.find((value) => value.valueId === valueId)?.name.text);
    const text = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} und ${names.at(-1)}`;
    expect(headlineOf(model)).toEqual({ text, language: "de" });
  }
  expect([...kinds].sort()).toEqual(["between archetypes", "one archetype"]);
});

test("without values to name, the headline is an archetype of one name, and never what answers lie between", () => {
  const { mostWanted: _, ...model } = reportWith({ 1: [24, 12], 2: [10, 20] });
  const { archetype } = model.summary;
  if (archetype === null) throw new Error("these answers have an archetype");
  const told = (between: typeof archetype.between) =>
    headlineOf({ ...model, mostWanted: null, summary: { ...model.summary, archetype: { ...archetype, between } } });
  expect(told([])).toEqual(archetype.name);
  expect(told([{ archetypeId: 1, name: { text: "Ahead", language: "en" }, text: "" }])).toBeNull();
  expect(headlineOf(reportWith({}))).toBeNull();
});
