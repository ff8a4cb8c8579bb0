// What a report says of how the statements were answered.
import { expect, test } from "vitest";
import type { Flag } from "../../../../src/products/values-bridge/quality/quality.ts";
import { reportCatalogues } from "../../../../src/products/values-bridge/report/words/language.ts";
import { qualityWith, reportWith } from "../../../support/reports/reports.ts";

const flags: readonly Flag[] = [
  { index: "longestRun", level: "warn" },
  { index: "spread", level: "warn" },
  { index: "opposites", level: "warn" },
  { index: "consistency", level: "warn" },
  { index: "secondBlock", level: "warn" },
  { index: "speed", level: "warn" },
  { index: "speed", level: "fail" },
];

/** The report on answers with these flags. */
function flagged(grade: "good" | "caution" | "fail", of: readonly Flag[], locale = "en") {
  const quality = qualityWith({ grade, flags: of, longestRun: 12, secondsPerAnswer: 1.4 });
  return reportWith({ 15: [24, 4], 2: [20, 4] }, { quality, locales: [locale] });
}

/** What is said of a flag: with those that fail there is nothing drawn, with others more care. */
function saidOf(of: readonly Flag[], locale: string) {
  const caution = flagged("caution", of, locale);
  const unflagged = flagged("caution", [], locale).reading.entries;
  return {
    failing: flagged("fail", of, locale).summary.silence ?? "",
    careful: caution.reading.entries.find((entry) => !unflagged.includes(entry)) ?? "",
    silence: caution.summary.silence,
  };
}

test.each(reportCatalogues.map(({ language }) => language))("each flag has a sentence of its own in %s", (language) => {
  const texts = flags.map((flag) => saidOf([flag], language));
  for (const what of ["failing", "careful"] as const) expect(new Set(texts.map((each) => each[what])).size).toBe(7);
  for (const { failing, careful, silence } of texts) {
    expect(silence).toBeNull();
    // The same sentence, and then another one.
    const [sentence = ""] = /^.+?[.;](?= )/.exec(failing) ?? [];
    expect([sentence.length > 20, careful.startsWith(sentence)]).toEqual([true, true]);
  }
});

test("a flag names its number, whatever its level", () => {
  for (const level of ["warn", "fail"] as const) {
    expect(saidOf([{ index: "longestRun", level }], "en").failing).toBe(
      "At one point you gave the same rating 12 times in a row. So this report shows your answers, but draws nothing from them.",
    );
  }
  expect(saidOf([{ index: "speed", level: "warn" }], "de").careful).toBe(
    "Ihre Antworten kamen rasch: im Schnitt alle 1,4 Sekunden eine. Lesen Sie kleine Unterschiede mit mehr Vorsicht.",
  );
});

test("several flags are all reported, in their order", () => {
  const [run, speed] = [flags[0], flags[5]].flatMap((flag) => flag ?? []);
  if (run === undefined || speed === undefined) throw new Error("no flags");
  expect(saidOf([run, speed], "en").failing).toMatch(/ 12 times in a row\. .* every 1\.4 seconds\. /);
});

test("a report mentions no flag if there is none", () => {
  const { summary, reading } = flagged("good", []);
  expect([summary.silence, reading.entries.join()]).toEqual([null, expect.not.stringContaining("more care")]);
});
