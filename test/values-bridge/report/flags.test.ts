// What a report says of how the statements were answered.
import { describe, expect, test } from "vitest";
import type { ReportFlag } from "../../../src/products/values-bridge/report/report-input.ts";
import { qualityWith, reportWith } from "../../support/reports/reports.ts";

const cases: readonly (readonly [ReportFlag["index"], ReportFlag["level"], english: string, german: string])[] = [
  [
    "longestRun",
    "warn",
    "At one point you gave the same rating 12 times in a row.",
    "An einer Stelle haben Sie 12-mal hintereinander dieselbe Bewertung gegeben.",
  ],
  [
    "longestRun",
    "fail",
    "At one point you gave the same rating 12 times in a row.",
    "An einer Stelle haben Sie 12-mal hintereinander dieselbe Bewertung gegeben.",
  ],
  [
    "spread",
    "warn",
    "Most of your ratings lie close together on the scale.",
    "Die meisten Ihrer Bewertungen liegen auf der Skala nah beieinander.",
  ],
  [
    "spread",
    "fail",
    "Most of your ratings lie close together on the scale.",
    "Die meisten Ihrer Bewertungen liegen auf der Skala nah beieinander.",
  ],
  [
    "opposites",
    "warn",
    "Your ratings of statements that say opposite things hardly mirror each other.",
    "Aussagen, die Gegenteiliges sagen, haben Sie kaum gegensätzlich bewertet.",
  ],
  [
    "consistency",
    "warn",
    "Your answers hardly separate the values from each other.",
    "Ihre Antworten unterscheiden kaum zwischen den Werten.",
  ],
  [
    "secondBlock",
    "warn",
    "Your answers in the second part hardly separate the values; those in the first part do so more clearly.",
    "Ihre Antworten im zweiten Teil unterscheiden kaum zwischen den Werten; die im ersten Teil tun es deutlicher.",
  ],
  [
    "speed",
    "warn",
    "Your answers arrived quickly: on average one every 1.4 seconds.",
    "Ihre Antworten kamen rasch: im Schnitt alle 1,4 Sekunden eine.",
  ],
  [
    "speed",
    "fail",
    "Your answers arrived faster than statements can be read.",
    "Ihre Antworten kamen schneller, als sich Aussagen lesen lassen.",
  ],
];

const nothingDrawn = {
  en: "So this report shows your answers, but draws nothing from them.",
  de: "Deshalb zeigt dieser Bericht nur Ihre Antworten und leitet nichts aus ihnen ab.",
};
const moreCare = {
  en: "Read small differences with more care.",
  de: "Lesen Sie kleine Unterschiede mit mehr Vorsicht.",
};

/** The report on answers with these flags. */
function flagged(grade: "caution" | "fail", flags: readonly ReportFlag[], locale = "en") {
  const quality = qualityWith({ grade, flags, longestRun: 12, secondsPerAnswer: 1.4 });
  return reportWith({ 15: [24, 4], 2: [20, 4] }, { quality, locales: [locale] });
}

describe.each(cases)("the flag %s at the level %s", (index, level, english, german) => {
  test.each([
    ["en", english],
    ["de", german],
  ] as const)("has a sentence of its own, in %s", (locale, sentence) => {
    expect(flagged("fail", [{ index, level }], locale).summary.silence).toBe(`${sentence} ${nothingDrawn[locale]}`);
    const { summary, reading } = flagged("caution", [{ index, level }], locale);
    expect(summary.silence).toBeNull();
    expect(reading.entries).toContain(`${sentence} ${moreCare[locale]}`);
  });
});

test("of several flags each is said, in their order", () => {
  const flags: readonly ReportFlag[] = [
    { index: "longestRun", level: "warn" },
    { index: "speed", level: "warn" },
  ];
  const [run, speed] = [cases[0]?.[2], cases[7]?.[2]];
  expect(flagged("fail", flags).summary.silence).toBe(`${run} ${speed} ${nothingDrawn.en}`);
});

test("answers that came too fast are not said to separate nothing", () => {
  expect(flagged("fail", [{ index: "speed", level: "fail" }]).summary.silence).not.toContain("separate");
});

test("nothing is said of answers without a flag", () => {
  const said = JSON.stringify(reportWith({ 15: [24, 4] }, { quality: qualityWith({ grade: "good" }) }));
  for (const [, , sentence] of cases) expect(said).not.toContain(sentence);
  expect(said).not.toContain(moreCare.en);
});
