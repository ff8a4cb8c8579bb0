// The team report says of a group what would be true again, and nothing of a person.
import { describe, expect, test } from "vitest";
import type { GroupNumbers, GroupValue } from "../../../../src/products/values-bridge/groups/group-numbers.ts";
import { renderTeamHtml } from "../../../../src/products/values-bridge/report/team/team-html.ts";
import { createTeamReportModel } from "../../../../src/products/values-bridge/report/team/team-model.ts";
import { neutralBranding } from "../../../support/reports/reports.ts";
import { busyNumbers, measure, numbersWith as numbersOf, teamInput } from "../../../support/reports/teams.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";

const numbersWith = (values: Readonly<Record<number, Partial<GroupValue>>>, more: Partial<GroupNumbers> = {}) =>
  numbersOf(longForm(), values, more);

const reportOn = (numbers: GroupNumbers, locale = "en") =>
  createTeamReportModel(teamInput(longForm(), { numbers, locales: [locale] }));

const namesIn = (numbers: GroupNumbers, index: number) =>
  reportOn(numbers).sections[index]?.entries.map(({ name, text }) => [name.text, text]);

test.each([
  ["en", "Report on the values of a group"],
  ["de", "Bericht zu den Werten einer Gruppe"],
])("the head of a report without a partner's name says in %s that it is about a group", (locale, head) => {
  const model = reportOn(numbersWith({}), locale);
  expect(renderTeamHtml(model, neutralBranding)).toContain(head);
});

test("a group wants most what it wants more than its own average, beyond what chance gives one of all values", () => {
  const numbers = numbersWith({
    15: { ideal: measure(7, 2, 1) },
    16: { ideal: measure(18, 12, 6) },
    17: { ideal: measure(24, 12, 6) },
    18: { ideal: measure(12, 12, 6) },
  });
  expect(namesIn(numbers, 0)).toEqual([
    ["Fairness", null],
    ["Caring", null],
  ]);
});

test("a group shares the gaps beyond chance and the common gap by half a step, in steps of the answer scale", () => {
  const numbers = numbersWith({
    11: { gap: measure(14, 15, 8) },
    12: { gap: measure(-20, 12, 8) },
    18: { gap: measure(25, 12, 8) },
    19: { gap: measure(10, 2, 1) },
  });
  expect(namesIn(numbers, 1)).toEqual([
    ["Nature", "1.5 points more wanted"],
    ["Rule Respect", "1.2 points more lived"],
  ]);
});

test("a group is close, or far apart, only beyond the range of chance", () => {
  const numbers = numbersWith({
    1: { ideal: measure(0, 4, 3) },
    2: { ideal: measure(0, 24, 12) },
    3: { ideal: measure(0, 14, 7) },
  });
  expect(namesIn(numbers, 2)?.map(([name]) => name)).toEqual(["Free Thinking"]);
  expect(namesIn(numbers, 3)?.map(([name]) => name)).toEqual(["Independence"]);
});

test("a group's report names four gaps, four close values and four far apart at most, the largest first", () => {
  const gaps = numbersWith({
    1: { gap: measure(-30, 5, 3) },
    2: { gap: measure(15, 5, 3) },
    3: { gap: measure(25, 5, 3) },
    4: { gap: measure(-15.5, 5, 3) },
    5: { gap: measure(20, 5, 3) },
  });
  expect(namesIn(gaps, 1)?.map(([, text]) => text)).toEqual([
    "1.8 points more lived",
    "1.5 points more wanted",
    "1.2 points more wanted",
    "0.9 points more lived",
  ]);
  const spreads = [6, 2, 5, 3, 4, 60, 50, 54, 52, 56];
  const sds = spreads.map((sd, index) => [index + 1, { ideal: measure(0, sd, 3) }] as const);
  const numbers = numbersWith(Object.fromEntries(sds));
  const sdsIn = (index: number) =>
    reportOn(numbers).sections[index]?.entries.map(({ name }) => {
      const { valueId } = reportOn(numbers).values.find((value) => value.name.text === name.text) ?? { valueId: 0 };
      return spreads[valueId - 1];
    });
  expect(sdsIn(2)).toEqual([2, 3, 4, 5]);
  expect(sdsIn(3)).toEqual([60, 56, 54, 52]);
});

test("a group that lives everything equally less than it wants has no single gap", () => {
  const all = Array.from({ length: 19 }, (_, index) => [index + 1, { gap: measure(25, 5, 3) }] as const);
  expect(namesIn(numbersWith(Object.fromEntries(all)), 1)).toEqual([]);
});

test("a group in which nothing stands out has a report that says so, in English and German", () => {
  for (const locale of ["en", "de"]) {
    const model = reportOn(numbersWith({}), locale);
    const page = renderTeamHtml(model, neutralBranding);
    for (const { entries, none } of model.sections) {
      expect(entries).toEqual([]);
      expect(page).toContain(none);
    }
  }
});

test("a group without spread gets means alone: nothing stands out, and no spread is drawn or mentioned", () => {
  const plain = (mean: number) => ({ mean, sd: null, interval: null, rwg: null });
  const all = Array.from({ length: 19 }, (_, index) => {
    return [index + 1, { ideal: plain(3 * index), current: plain(0), gap: plain(index % 2 ? 25 : 0) }] as const;
  });
  for (const locale of ["en", "de"]) {
    const model = reportOn(numbersWith(Object.fromEntries(all)), locale);
    expect(model.sections.map(({ entries, none }) => [entries, /for this group|diese Gruppe/.test(none)])).toEqual(
      Array.from({ length: 4 }, () => [[], true]),
    );
    expect(model.picture.legend.map(({ mark }) => mark)).toEqual(["wanted", "today", "room", "over"]);
    expect(model.values.every(({ spread, lived }) => spread === null && lived !== null)).toBe(true);
  }
});

test("the report is silent on withheld values", () => {
  const withheld = { ideal: null, current: null, gap: null, uniform: true };
  const model = reportOn(numbersWith({ 4: withheld, 5: withheld }));
  expect(model.reading.entries.at(-1)).toContain("Enjoyment and Accomplishment");
  expect(model.values.find(({ valueId }) => valueId === 4)).toMatchObject({
    wanted: null,
    lived: null,
    spread: null,
  });
  expect(model.sections).toHaveLength(4);
});

test("the gap drawn in a petal is the difference that the list names, whatever people's averages are", () => {
  // Everybody rates the life today two steps lower throughout, this value one step lower: it is lived less than wanted.
  const current = measure(100 / 6, 12, 6);
  const model = reportOn(numbersWith({ 18: { ideal: measure(0, 12, 6), current, gap: measure(100 / 6, 6, 3) } }));
  const { wanted = null, lived = null } = model.values.find(({ valueId }) => valueId === 18) ?? {};
  expect(model.sections[1]?.entries.map(({ text }) => text)).toEqual(["1 point more wanted"]);
  expect(((wanted ?? 0) - (lived ?? 0)) * 70).toBeCloseTo(100 / 6, 9);
});

test("values beyond the centre or the rim of the circle are drawn there", () => {
  const gap = measure(80, 15, 8);
  const model = reportOn(numbersWith({ 1: { ideal: measure(36, 12, 6) }, 2: { ideal: measure(-36, 12, 6), gap } }));
  const [far, near] = [1, 2].map((id) => model.values.find(({ valueId }) => valueId === id));
  expect(far).toMatchObject({ wanted: 1, spread: { high: 1 } });
  expect(near).toMatchObject({ wanted: 0, lived: 0, spread: { low: 0 } });
});

test("one ring over all petals marks what people want on average", () => {
  const rings = renderTeamHtml(reportOn(numbersWith({})), neutralBranding).match(/<circle class="m-average"[^>]*>/g);
  expect(rings).toEqual(['<circle class="m-average" cx="0" cy="0" r="137"/>']);
});

describe.each(["en", "de"])("pages on groups in %s", (locale) => {
  const busy = busyNumbers(longForm());

  test("the page draws means and spreads, escapes the label, and loads nothing", () => {
    const model = reportOn(busy, locale);
    const page = renderTeamHtml(model, neutralBranding);
    expect([...page.matchAll(/<pattern id="hatch"/g)]).toHaveLength(1);
    expect(page).not.toMatch(/NaN|undefined|<North>|https?:\/\/(?!www\.w3\.org\/2000\/svg)|<script/);
    expect(page).toContain("Team &lt;North&gt;");
    for (const mark of ["whisker", "line"]) {
      expect([...page.matchAll(new RegExp(`class="m-${mark}"`, "g"))]).toHaveLength(19 + 1);
    }
  });
});
