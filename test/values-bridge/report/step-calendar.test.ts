// The calendar file of a person's step, read by the rules of RFC 5545 and RFC 5546.
import { expect, test } from "vitest";
import { createStepCalendar } from "../../../src/products/values-bridge/report/step-calendar.ts";
import { reportCatalogues } from "../../../src/products/values-bridge/report/words/language.ts";
import { reportWith } from "../../support/reports/reports.ts";

const now = Date.UTC(2026, 10, 28, 9, 30, 15, 250);
const sessionId = "01a20000-0000-7000-8000-000000000000";

function calendarOf(step: string, day: string | null, { at = now, language = "en" } = {}): string | undefined {
  const chosen = { step, text: step, again: "", lookAgainOn: day };
  const steps = { title: "", note: "", offers: [], earlier: null, chosen };
  return createStepCalendar({ ...reportWith({}), language, sessionId, steps }, at);
}

/** The properties of a file, unfolded and in order; throws where a line is none. */
function propertiesOf(file: string): (readonly [name: string, value: string])[] {
  expect(file.endsWith("\r\n")).toBe(true);
  expect(file.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  for (const line of file.split("\r\n")) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    // No line ends within a character, or within a pair of surrogates.
    expect(line.isWellFormed()).toBe(true);
  }
  const lines = file.replaceAll("\r\n ", "").split("\r\n").slice(0, -1);
  return lines.map((line) => {
    const [, name = "", value = ""] = /^([A-Z-]+(?:;[A-Z-]+=[\w-]+)*):(.*)$/u.exec(line) ?? [];
    if (name === "") throw new Error(`no property: ${line}`);
    return [name, value];
  });
}

const propertyOf = (file: string | undefined, name: string) =>
  propertiesOf(file ?? "").find(([each]) => each === name)?.[1];

test("the file is one event of a whole day with a reminder, which takes no time of the day", () => {
  const properties = propertiesOf(calendarOf("Call one person", "2027-01-07") ?? "");
  expect(properties).toEqual([
    ["BEGIN", "VCALENDAR"],
    ["VERSION", "2.0"],
    ["PRODID", "-//Partner Assessment Service//Report//EN"],
    ["METHOD", "PUBLISH"],
    ["BEGIN", "VEVENT"],
    ["UID", `step-${sessionId}`],
    ["DTSTAMP", "20261128T093015Z"],
    ["SEQUENCE", expect.stringMatching(/^\d+$/)],
    ["DTSTART;VALUE=DATE", "20270107"],
    ["SUMMARY", "Look again at a small step"],
    ["DESCRIPTION", "Call one person"],
    ["TRANSP", "TRANSPARENT"],
    ["BEGIN", "VALARM"],
    ["ACTION", "DISPLAY"],
    ["DESCRIPTION", "Look again at a small step"],
    ["TRIGGER", "PT9H"],
    ["END", "VALARM"],
    ["END", "VEVENT"],
    ["END", "VCALENDAR"],
  ]);
});

test("a day that is moved to an earlier one is a newer revision of the same event", () => {
  const [first, second] = [calendarOf("x", "2027-01-07"), calendarOf("x", "2026-12-20", { at: now + 60_000 })];
  expect(propertyOf(second, "UID")).toBe(propertyOf(first, "UID"));
  expect(Number(propertyOf(second, "SEQUENCE"))).toBeGreaterThan(Number(propertyOf(first, "SEQUENCE")));
  expect((propertyOf(second, "DTSTAMP") ?? "") > (propertyOf(first, "DTSTAMP") ?? "")).toBe(true);
  const inAHundredYears = calendarOf("x", "2126-12-20", { at: Date.UTC(2093, 0, 1) });
  expect(Number(propertyOf(inAHundredYears, "SEQUENCE"))).toBeLessThan(2 ** 31);
});

test.each(reportCatalogues.map(({ language }) => language))(
  "a step of any letters is kept, in the language %s",
  (language) => {
    for (const step of ["a".repeat(200), "ü".repeat(200), "🙂".repeat(200), "one, two; three \\ four\nEND:VEVENT"]) {
      const file = calendarOf(step, "2027-01-07", { language });
      const described = propertyOf(file, "DESCRIPTION") ?? "";
      const read = described.replaceAll(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter));
      expect(read).toBe(step);
    }
  },
);

test("there is no file without a day", () => {
  expect(calendarOf("x", null)).toBeUndefined();
  expect(createStepCalendar({ ...reportWith({}), steps: null }, now)).toBeUndefined();
});
