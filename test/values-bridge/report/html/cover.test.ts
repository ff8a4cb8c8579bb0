// What a report opens with: one warm sentence, true for whoever gets it, and the largest differences.
import { describe, expect, test } from "vitest";
import { renderReportHtml } from "../../../../src/products/values-bridge/report/html/report-html.ts";
import { writeArchetype } from "../../../../src/products/values-bridge/report/model/archetype.ts";
import { collectFacts } from "../../../../src/products/values-bridge/report/model/facts.ts";
import { createWriter } from "../../../../src/products/values-bridge/report/model/writer.ts";
import { createReportModel } from "../../../../src/products/values-bridge/report/report.ts";
import { reportCatalogues } from "../../../../src/products/values-bridge/report/words/language.ts";
import openings from "../../../../src/products/values-bridge/report/words/openings.json" with { type: "json" };
import { neutralBranding, reportWith } from "../../../support/reports/reports.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";
import { inputOf, population, qualityOf } from "../../../support/values-bridge/simulated-people.ts";

const languages = reportCatalogues.map(({ language }) => language);

/** The archetypes that lie beside each other: by direction, by distance, and by both. */
function neighbours(): string[] {
  const { archetypes } = longForm();
  const sorted = (direction: string) =>
    archetypes.filter((each) => each.direction === direction).sort((one, other) => one.gapFrom - other.gapFrom);
  const [focused, plural] = [sorted("focused"), sorted("plural")];
  const namesOf = (...some: typeof archetypes) =>
    archetypes
      .filter((each) => some.includes(each))
      .map(({ name }) => name)
      .join(", ");
  const pairs = focused.flatMap((each, band) => (plural[band] ? [namesOf(each, plural[band])] : []));
  const bands = [focused, plural].flatMap((way) =>
    way.slice(1).map((each, band) => namesOf(...way.slice(band, band + 1), each)),
  );
  const fours = focused
    .slice(1)
    .map((_, band) => namesOf(...focused.slice(band, band + 2), ...plural.slice(band, band + 2)));
  return [...pairs, ...bands, ...fours];
}

describe.each(languages)("the opening in %s", (locale) => {
  const written: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(openings))[locale] ?? {};

  test("every two or four archetypes that answers can lie between have a sentence of their own, without a figure or a name", () => {
    expect(Object.keys(written).sort()).toEqual(neighbours().sort());
    expect(new Set(Object.values(written)).size).toBe(neighbours().length);
    const { getArchetypeTexts } = createWriter(longForm(), [locale]);
    const spoken = longForm().archetypes.map(({ id }) => getArchetypeTexts(id).name.text);
    for (const text of Object.values(written)) {
      expect(text).not.toMatch(/\d/);
      expect(text.length).toBeLessThan(170);
      expect(spoken.filter((name) => text.includes(name))).toEqual([]);
    }
  });

  test("people between archetypes read its sentence first, and the figures in short", () => {
    let between = 0;
    for (const answers of population(longForm(), 40, 3)) {
      const input = inputOf(longForm(), answers, { quality: qualityOf(longForm(), answers), locales: [locale] });
      const archetype = writeArchetype({ ...createWriter(longForm(), [locale]), input, facts: collectFacts(input) });
      if (archetype === null || archetype.between.length === 0) continue;
      between += 1;
      expect(Object.values(written)).toContain(archetype.summary.text);
      expect(archetype.notes[0]).toMatch(/\d/);
    }
    expect(between).toBeGreaterThan(5);
  });
});

test("the largest named difference each way is set off, with all that are as large, and none if they are many", () => {
  const textsOf = (...args: Parameters<typeof reportWith>) =>
    reportWith(...args).summary.highlights.map(({ text }) => text);
  expect(textsOf({ 5: [22, 4], 9: [20, 6], 17: [8, 18] })).toEqual([
    "What you miss most: Accomplishment.",
    "What takes more room than you want: Fairness.",
  ]);
  expect(textsOf({ 5: [22, 8], 9: [20, 6] })).toEqual(["What you miss most: Accomplishment and Personal Safety."]);
  expect(textsOf({ 1: [20, 8], 2: [20, 8], 3: [20, 8], 4: [20, 8] })).toEqual([]);
  expect(textsOf({ 5: [17, 12] })).toEqual([]);
});

describe.each(languages)("the page in %s", (locale) => {
  const page = renderReportHtml(
    reportWith({ 5: [22, 4], 9: [20, 6], 17: [8, 18] }, { locales: [locale] }),
    neutralBranding,
  );

  test("has the directions at the rim of its circle, once for each width", () => {
    expect(page.match(/<textPath /g)).toHaveLength(8);
    expect(page.match(/class="m-direction\d"/g)).toHaveLength(4);
  });

  test("leads from its opening to the step, which follows on the summary", () => {
    const places = ['class="go" href="#step"', 'aria-labelledby="summary"', 'id="step"', 'aria-labelledby="wanted"'];
    expect(places.map((each) => page.indexOf(each)).every((place, index, all) => place > (all[index - 1] ?? 0))).toBe(
      true,
    );
  });

  test("folds the rows without a clear difference, and every note after its first sentence", () => {
    const [, folded = ""] = /<details class="fold">(.*?)<\/details>\s*<\/div>/s.exec(page) ?? [];
    expect(folded.match(/<tr role="row"><th role="rowheader"/g)).toHaveLength(16);
    for (const [, note = ""] of page.matchAll(/<div class="head">(?:(?!<\/div>).)*?<p class="note">(.*?)<\/p>/gs)) {
      expect(note.replace(/\(UTC\)|\d\./g, "")).not.toMatch(/[.!?]\s/);
    }
  });
});

test("a definition of other values or archetypes has no directions, and a sentence for any archetypes", () => {
  const { translations: _, ...own } = longForm();
  const values = own.values.map((value) => (value.id === 12 ? { ...value, name: "Order" } : value));
  const archetypes = own.archetypes.map((each) => ({ ...each, name: `Name ${each.id}` }));
  const definition = { ...own, values, archetypes };
  const opened = population(definition, 20, 3).map((answers) =>
    createReportModel(inputOf(definition, answers, { quality: qualityOf(definition, answers) })),
  );
  expect(opened.flatMap(({ picture }) => picture.directions)).toEqual([]);
  const between = opened.filter(({ summary }) => (summary.archetype?.between ?? []).length > 0);
  expect(between.length).toBeGreaterThan(3);
  for (const { summary } of between) expect(summary.archetype?.summary.text).toMatch(/^Your answers leave open/);
});
