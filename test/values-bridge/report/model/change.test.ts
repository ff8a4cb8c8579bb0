// What a report says of the time before: changes that stand out, and nothing else.
import { describe, expect, test } from "vitest";
import { compareSessions } from "../../../../src/products/values-bridge/quality/change.ts";
import { renderReportHtml } from "../../../../src/products/values-bridge/report/html/report-html.ts";
import { createReportModel } from "../../../../src/products/values-bridge/report/report.ts";
import type { ReportComparison, ReportQuality } from "../../../../src/products/values-bridge/report/report-input.ts";
import { reportCatalogues } from "../../../../src/products/values-bridge/report/words/language.ts";
import { builtInSetting } from "../../../../tools/simulate/setting.ts";
import { changedSheets, neutralBranding, qualityWith, reportWith } from "../../../support/reports/reports.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";
import { inputOf } from "../../../support/values-bridge/simulated-people.ts";

const since = new Date("2026-03-01T10:00:00Z");
const points = { 15: [24, 20], 2: [18, 18] } as const;

/** A comparison in which value 15 changed like this. */
function changed(
  change: number,
  consistent: "joint" | "single" | "none" | null,
  life: "ideal" | "current" = "current",
): ReportComparison {
  const none = { ideal: null, current: null };
  return { since, statements: { values: [{ valueId: 15, ...none, [life]: { change, consistent } }] } };
}

describe("changes since last time", () => {
  test.each([
    ["ideal", 25, "Reliability: wanted 1.5 points more than then."],
    ["ideal", -25, "Reliability: wanted 1.5 points less than then."],
    ["current", 50, "Reliability: lived 3 points more than then."],
    ["current", -50, "Reliability: lived 3 points less than then."],
  ] as const)("a report mentions a change of the life %s by %d points", (life, points100, text) => {
    const { change } = reportWith(points, { comparison: changed(points100, "joint", life) });
    expect(change).toMatchObject({ title: "Since last time", entries: [{ valueId: 15, life, text }] });
    expect(change?.note).toContain("1 March 2026");
    // The picture ends where the person is, and begins where they were; these made-up changes begin beyond the scale.
    const now = life === "ideal" ? 1 : 20 / 24;
    const before = Math.min(1, now - points100 / 100);
    expect(change?.entries).toMatchObject([{ now, before: expect.closeTo(before, 9) }]);
  });

  describe.each(reportCatalogues.map(({ language }) => language))("in %s", (locale) => {
    test.each([
      ["that is not joint", changed(50, "single")],
      ["of less than 1.5 steps", changed(24, "joint")],
      ["without an estimate", changed(50, null)],
    ])("a report names no change %s, and says that none stands out", (_name, comparison) => {
      const { change } = reportWith(points, { comparison, locales: [locale] });
      expect(change).toMatchObject({ entries: [], rest: null, note: expect.stringMatching(/2026.*[;:]/) });
    });
  });

  test.each([
    ["where quality allows no comparison", { since, statements: null }],
    ["where there is no earlier session", null],
  ])("a report says nothing of changes %s", (_name, comparison) => {
    expect(reportWith(points, { comparison }).change).toBeNull();
  });

  test("a report mentions no change if the answers do not distinguish values", () => {
    expect(reportWith({}, { comparison: changed(50, "joint") }).change).toBeNull();
  });

  test("a report mentions the changes that comparing two real sheets gives", () => {
    const { assessor } = builtInSetting();
    const { before, after } = changedSheets(15);
    const session = (answers: readonly (number | null)[]) => ({ assessor, answers, times: null });
    const { statements } = compareSessions(session(before), session(after));
    const { change } = createReportModel(inputOf(longForm(), after, { comparison: { since, statements } }));
    expect(change?.entries.map(({ valueId, life, steps }) => [valueId, life, steps])).toEqual([
      [15, "ideal", 6],
      [15, "current", 6],
    ]);
  });
});

const error = { values: [], totalGap: null, stability: null };
const standing = (percentile: number, ...percentileRange: [number, number]) => ({ percentile, percentileRange });
const norms = {
  ...({ scope: "partner", n: 120, provisional: true, language: "en" } as const),
  values: [
    { valueId: 1, ideal: standing(81, 76, 86) },
    { valueId: 2, ideal: standing(12, 7, 24) },
    { valueId: 3, ideal: standing(90, 75, 95) },
    { valueId: 4, ideal: null },
    { valueId: 5, ideal: { percentile: 97, percentileRange: null } },
  ],
};
const reportAmong = (others: Partial<NonNullable<ReportQuality["norms"]>> | null, locale = "en") => {
  const quality = { ...qualityWith({ grade: "good" }, error), norms: others && { ...norms, ...others } };
  return reportWith(points, { quality, locales: [locale] });
};

test("a report names a value whose place stays beyond 75 or 25 with the errors of the person and of the norms, the furthest first", () => {
  const { others, reading } = reportAmong({});
  expect(others?.note).toMatch(
    /120 people .* whom the same organisation invited.*provisional.*neither better nor worse/,
  );
  expect(others?.entries.map(({ valueId, text }) => [valueId, text])).toEqual([
    [2, "Independence: less weight than most give it"],
    [1, "Free Thinking: more weight than most give it"],
  ]);
  expect(others?.rest).toBe(
    "The others: about as much weight as many people give them, or too close to tell. Values with unanswered statements are not compared.",
  );
  expect(reading.entries[0]).toContain("Only “Compared with others”");
});

test.each([
  ["without norms", null],
  ["of a language that is not known", { language: "und" }],
  ["who answered none of the statements", { values: [] }],
])("a report does not compare with others: %s", (_name, others) => {
  const { others: told, reading } = reportAmong(others);
  expect([told, reading.entries[0]]).toEqual([null, expect.stringContaining("compares you with nobody")]);
});

test("the page has a mark and a line for each value named, and words at both ends of them", () => {
  const page = renderReportHtml(reportAmong({}), neutralBranding);
  const [, section = ""] = /<div class="tracks others">(.*?)<\/div>/s.exec(page) ?? [];
  expect(section.match(/class="m-barLine"/g)).toHaveLength(2);
  expect(section).toContain('class="m-whisker" d="M152,-11.5L172,-11.5"');
  expect(section).toMatch(/class="ends".*less.*more/);
});

test.each(reportCatalogues.map(({ language }) => language))(
  "where no value stands out, a report in %s says so in one sentence",
  (locale) => {
    const values = Array.from({ length: 19 }, (_, index) => ({ valueId: index + 1, ideal: standing(50, 30, 70) }));
    const report = reportAmong({ values }, locale);
    expect(report.others).toMatchObject({ entries: [], rest: expect.stringMatching(/^[^.]+\.$/) });
    const [, section = ""] =
      /<div class="tracks others">(.*?)<\/div>/s.exec(renderReportHtml(report, neutralBranding)) ?? [];
    expect(section).toMatch(/^<p>[^<]+<\/p>$/);
  },
);

test.each(["de", "es", "fr", "it", "nl"])("a report in %s never says better or worse than others", (locale) => {
  const { others } = reportAmong({}, locale);
  expect(others?.entries.map(({ text }) => text).join()).not.toMatch(
    /bess|schlecht|mejor|peor|mieux|miglior|peggio|beter/i,
  );
});

test("the partner's support text, and a name and a day, appear as they were given", () => {
  const report = reportWith(points, { support: "Call Ana.", person: { name: " Zoë\n ", date: "2026-03-01" } });
  expect(report.support).toEqual({ title: "If something here weighs on you", text: "Call Ana." });
  expect(report.cover).toEqual({ name: "Zoë", date: "1 March 2026" });
  expect(reportWith(points)).toMatchObject({ support: null, cover: null });
});
