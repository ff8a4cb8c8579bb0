// The paragraphs on leading values: there is one for every value, and for no other.
import { describe, expect, test } from "vitest";
import { portraitOf, portraits } from "../../../src/products/values-bridge/report/words/portraits.ts";
import { answersWith, reportWith } from "../../support/reports/reports.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { inputOf, qualityOf } from "../../support/values-bridge/simulated-people.ts";

const definition = longForm();

describe.each([...portraits])("the paragraphs in %s", (language, written) => {
  test("are on the values of the definition that ships, in its order", () => {
    expect(Object.keys(written)).toEqual(definition.values.map(({ name }) => name));
  });

  test("say three things each, of which the last one asks, and no two say the same", () => {
    const texts = Object.values(written).flatMap(({ high, cost, question }) => [high, cost, question]);
    expect(new Set(texts).size).toBe(3 * definition.values.length);
    for (const { high, cost, question } of Object.values(written)) {
      expect([high.endsWith("."), cost.endsWith("."), question.endsWith("?")]).toEqual([true, true, true]);
      // A sentence that stands in a column has to be read at a glance.
      for (const text of [high, cost, question]) expect(text.length).toBeLessThan(190);
    }
  });

  test("know no value of another name, whatever its id", () => {
    const [first, ...others] = definition.values;
    if (first === undefined) throw new Error("no value");
    const renamed = { ...definition, values: [{ ...first, name: "toString" }, ...others] };
    expect(portraitOf(renamed, first.id, language)).toBeNull();
    expect(portraitOf(definition, first.id, language)).toBe(written[first.name]);
  });
});

test("a value that leads has its paragraph, the others have none", () => {
  const points = { 15: [24, 20], 16: [20, 20], 17: [19, 19] } as const;
  const answers = answersWith(points);
  const { locales } = inputOf(definition, answers, { locales: ["de"] });
  const { mostWanted } = reportWith(points, { quality: qualityOf(definition, answers), locales });
  const led = mostWanted?.entries.filter(({ leading }) => leading);
  expect(led?.map(({ valueId }) => valueId)).toContain(15);
  for (const { valueId, leading, portrait } of mostWanted?.entries ?? []) {
    expect(portrait).toEqual(leading ? portraitOf(definition, valueId, "de") : null);
  }
});
