// What a report says of the time before: changes that stand out, and nothing else.
import { describe, expect, test } from "vitest";
import { compareSessions } from "../../../src/products/values-bridge/quality/change/compare.ts";
import { reportModel } from "../../../src/products/values-bridge/report/report.ts";
import type { ReportComparison } from "../../../src/products/values-bridge/report/report-input.ts";
import { builtInSetting } from "../../../tools/simulate/setting.ts";
import { changedSheets, reportWith } from "../../support/reports/reports.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { inputOf } from "../../support/values-bridge/simulated-people.ts";

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

describe("a change since last time", () => {
  test.each([
    ["ideal", 25, "Reliability: wanted 1.5 steps more than then."],
    ["ideal", -25, "Reliability: wanted 1.5 steps less than then."],
    ["current", 50, "Reliability: lived 3 steps more than then."],
    ["current", -50, "Reliability: lived 3 steps less than then."],
  ] as const)("of the life %s by %d points is told", (life, points100, text) => {
    const { change } = reportWith(points, { comparison: changed(points100, "joint", life) });
    expect(change).toMatchObject({ title: "Since last time", entries: [{ valueId: 15, life, text }] });
    expect(change?.note).toContain("1 March 2026");
    // The picture ends where the person is, and begins where they were; these made-up changes begin beyond the scale.
    const now = life === "ideal" ? 1 : 20 / 24;
    const before = Math.min(1, now - points100 / 100);
    expect(change?.entries).toMatchObject([{ now, before: expect.closeTo(before, 9) }]);
  });

  test.each([
    ["that is not joint", changed(50, "single")],
    ["of less than 1.5 steps", changed(24, "joint")],
    ["without an estimate", changed(50, null)],
    ["where quality allows no comparison", { since, statements: null }],
    ["where there is no earlier session", null],
  ])("%s is not told", (_name, comparison) => {
    expect(reportWith(points, { comparison }).change).toBeNull();
  });

  test("is none of those whose answers tell nothing apart", () => {
    expect(reportWith({}, { comparison: changed(50, "joint") }).change).toBeNull();
  });

  test("is what the comparison of two real sheets says", () => {
    const { assessor } = builtInSetting();
    const { before, after } = changedSheets(15);
    const session = (answers: readonly (number | null)[]) => ({ assessor, answers, times: null });
    const { statements } = compareSessions(session(before), session(after));
    const { change } = reportModel(inputOf(longForm(), after, { comparison: { since, statements } }));
    expect(change?.entries.map(({ valueId, life, steps }) => [valueId, life, steps])).toEqual([
      [15, "ideal", 6],
      [15, "current", 6],
    ]);
  });
});

test("where to turn stands in the partner's words, and a name and a day as they were asked for", () => {
  const report = reportWith(points, { support: "Call Ana.", person: { name: " Zoë\n ", date: "2026-03-01" } });
  expect(report.support).toEqual({ title: "If something here weighs on you", text: "Call Ana." });
  expect(report.cover).toEqual({ name: "Zoë", date: "1 March 2026" });
  expect(reportWith(points)).toMatchObject({ support: null, cover: null });
});
