// Every sentence says something that could be otherwise, and none is true of everybody.
import { beforeAll, describe, expect, test } from "vitest";
import { createReportModel } from "../../../../src/products/values-bridge/report/report.ts";
import type { ReportArchetype, ReportModel } from "../../../../src/products/values-bridge/report/report-model.ts";
import { getTeamTexts } from "../../../../src/products/values-bridge/report/team/words.ts";
import {
  chooseReportLanguage,
  type ReportTexts,
  reportCatalogues,
} from "../../../../src/products/values-bridge/report/words/language.ts";
import { portraits } from "../../../../src/products/values-bridge/report/words/portraits.ts";
import { describeCatalogues, formsOf } from "../../../support/catalogues.ts";
import { longForm } from "../../../support/values-bridge/short-form.ts";
import { answeredEvery, inputOf, population, qualityOf } from "../../../support/values-bridge/simulated-people.ts";

const [english, ...translations] = reportCatalogues;

/** Texts that stand in a report only under a condition. */
const conditional: readonly (keyof ReportTexts)[] = [
  "wantLead",
  "wantHigh",
  "wantHighToo",
  "orderOpen",
  "wantMore",
  "liveMore",
  "silenceEqual",
  "silenceFew",
  "silenceGrade",
  "flagLongestRun",
  "flagSpread",
  "flagOpposites",
  "flagConsistency",
  "flagSecondBlock",
  "flagSpeed",
  "flagSpeedFail",
  "archetypeOpen",
  "archetypeFocused",
  "archetypePlural",
  "apart",
  "apartByChance",
  "between",
  "betweenDistances",
  "betweenDirections",
  "betweenFour",
  "betweenBoth",
  "meaningBelow",
  "meaningWithin",
  "meaningFrom",
  "meaningFocused",
  "meaningPlural",
  "livedLess",
  "livedMore",
  "livedUnknown",
  "closeBehind",
  "moreWanted",
  "moreToday",
  "leaning",
  "questionMore",
  "questionConflict",
  "readingCaution",
];

const definition = longForm();

/** Every conditional sentence of a report as its reader sees it. */
function sentencesOf({ summary, mostWanted, pairs, questions, reading, values }: ReportModel): string[] {
  const nameOf = (id: number) => values.find(({ valueId }) => valueId === id)?.name.text;
  return [
    ...summary.sentences,
    ...(summary.silence === null ? [] : [summary.silence]),
    ...(summary.archetype === null ? [] : archetypeSentences(summary.archetype)),
    ...(mostWanted?.entries ?? []).flatMap(({ valueId, text }) => (text === null ? [] : `${nameOf(valueId)}: ${text}`)),
    ...(mostWanted?.closeBehind ? [mostWanted.closeBehind.text] : []),
    ...values.flatMap(({ name, difference }) => (difference === null ? [] : [`${name.text}: ${difference}`])),
    ...(pairs?.kinds ?? []).flatMap((kind) => kind.pairs.map(({ text }) => text)),
    ...(questions?.entries ?? []),
    ...reading.entries.slice(2, -3),
  ];
}

/** The answers of one of the population. Of forty, one answers fast, one quickly, one in a run and one within a few points. */
function habit(answers: readonly (number | null)[], index: number) {
  const run = answers.map((answer, place) => (place < 12 ? 5 : answer));
  const middle = answers.map((answer) => answer && Math.round(4 + (answer - 4) / 3));
  const habits: Readonly<Record<number, readonly [given: readonly (number | null)[], seconds: number]>> = {
    1: [answers, 0.5],
    3: [answers, 1.5],
    5: [run, 6],
    7: [middle, 6],
  };
  const [given, seconds] = habits[index % 40] ?? [answers, 6];
  return { given, times: answeredEvery(seconds) };
}

function archetypeSentences({ name, summary, between, notes }: ReportArchetype): string[] {
  return [name?.text ?? "", summary.text, ...between.map((each) => `${each.name.text}: ${each.text}`), ...notes];
}

/** A pattern that a filled-in text has. */
function patternOf(text: string): RegExp {
  return new RegExp(
    text
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".+"),
  );
}

describe("sentences of the reports on 1,000 simulated people", () => {
  let reports: ReportModel[];
  beforeAll(() => {
    reports = population(definition, 1000, 20_261_121).map((answers, index) => {
      const { given, times } = habit(answers, index);
      const more = index % 2 === 0 ? {} : { quality: qualityOf(definition, given, times) };
      return createReportModel(inputOf(definition, given, more));
    });
  });

  test("every conditional sentence occurs", () => {
    const text = reports.flatMap(sentencesOf).join("\n");
    const unsaid = conditional.filter(
      (name) => !formsOf(english.texts[name]).some((form) => patternOf(form).test(text)),
    );
    expect(unsaid).toEqual([]);
  });

  test("no sentence, with its values filled in, appears in more than half of the reports", () => {
    const counts = new Map<string, number>();
    for (const sentence of reports.flatMap((report) => [...new Set(sentencesOf(report))])) {
      counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > reports.length / 2)).toEqual([]);
    expect(counts.size).toBeGreaterThan(1000);
  });

  test("no report has an empty place, NaN, or a missing name", () => {
    for (const report of reports) expect(JSON.stringify(report)).not.toMatch(/[{}]\w+\}|NaN|Infinity|undefined|: ,/);
  });
});

/** What no report says, in any form of the word, by language. */
const banned: Readonly<Record<string, RegExp>> = {
  en: /\b(?:weak|low|poor|lack|fail|should|must|problem|always|never|need|try|improve|because|than (?:others|most people|average))\w*/i,
  de: /\b(?:schwach|schwäch|niedrig|gering|mangel|mangelnd|versag|scheiter|soll(?:en|te|ten)?\b|muss|müss|problem|immer|niemals|nie\b|versuchen|verbesser|weil|als (?:andere|die meisten))\w*/i,
  es: /(?<!\p{L})(?:débil|baj[oa]|pobre|carec|falta|fracas|deb(?:e|es|ería)(?!\p{L})|hay que|problema|siempre|nunca|necesit|mejorar|porque|(?:más|menos|mejor|peor) que (?:otr[oa]s|los demás|la mayoría))\p{L}*/iu,
  fr: /(?<!\p{L})(?:faible|bas(?!\p{L})|pauvre|manqu(?!erait)|échou|échec|devriez|devez|il faut|problème|toujours|jamais|besoin|améliorer|parce|(?:plus|moins|mieux) que (?:les autres|la plupart))\p{L}*/iu,
  it: /(?<!\p{L})(?:debol|bass[oai](?!\p{L})|pover|manca|fall(?:ir|iment)|dov(?:ete|rebbe)|deve|bisogn|problema|sempre|mai(?!\p{L})|migliorar|perché|(?:più|meno|meglio|peggio) de(?:gli altri|lla maggior parte))\p{L}*/iu,
  nl: /\b(?:zwak|laag|lage|arm|gebrek|tekort|faal|falen|moet|moeten|zou moeten|probleem|altijd|nooit|nodig|probeer|verbeter|omdat|dan (?:anderen|de meeste mensen))\w*/i,
};

test.each(reportCatalogues)("$language: no text judges, advises, generalises or compares with others", (catalogue) => {
  const words = banned[catalogue.language] ?? /./;
  const { texts, language } = catalogue;
  const paragraphs = Object.values(portraits.get(language) ?? {}).flatMap((states) =>
    Object.values(states).flatMap(({ high, cost, question }) => [high, cost, question]),
  );
  const faults = [...Object.values(texts).flatMap(formsOf), ...paragraphs].filter((text) =>
    words.test(text.replace(/\{\w+\}/g, "")),
  );
  expect(faults).toEqual([]);
});

describeCatalogues(english, translations, {});

test.each(reportCatalogues)(
  "in $language no adjective stands beside the name of a value, and no unit behind a number",
  ({ texts }) => {
    // A name ends a clause, or stands in quotation marks or before what does not agree with it; numbers bring their units.
    const agreeing =
      /\{values?\}(?!\u00a0?[:.?,”“»]|$| come from| than most days| (?:für heute )?h(?:igher|öher))|\{steps\} \p{L}*(?:step|Stufe|échelon|pas|stap)/u;
    const faulty = Object.entries(texts).filter(([, text]) => formsOf(text).some((form) => agreeing.test(form)));
    expect(faulty.map(([name]) => name)).toEqual([]);
  },
);

describe("languages of reports", () => {
  const [answers = []] = population(definition, 1, 5);
  const inLanguage = (...locales: string[]) => createReportModel(inputOf(definition, answers, { locales }));

  test.each([
    [["de-AT", "en"], "de"],
    [["ja", "de"], "de"],
    [["ja"], "en"],
    [[], "en"],
    [["ar"], "en"],
  ])("a report for %j is in %s", (locales, language) => {
    expect(inLanguage(...locales).language).toBe(language);
  });

  test("a language writes numbers, dates and lists its own way", () => {
    const { formatDecimal, formatDate, formatList } = chooseReportLanguage(["de"]);
    const date = new Date("2026-11-21T23:59:59Z");
    expect([formatDecimal(6.45), formatList(["A", "B", "C"])]).toEqual(["6,5", "A, B und C"]);
    expect([formatDate(date, undefined), formatDate(date, "Asia/Tokyo")]).toEqual([
      "21. November 2026 (UTC)",
      "22. November 2026",
    ]);
    const own = chooseReportLanguage(["en"]);
    expect([own.formatDecimal(4), own.formatDate(date, undefined), own.formatList(["A", "B", "C"])]).toEqual([
      "4.0",
      "21 November 2026 (UTC)",
      "A, B and C",
    ]);
  });
});

test.each(reportCatalogues.map(({ language, texts }) => [language, texts] as const))(
  "reports in %s have one kind of quotation marks, on people and on groups",
  (language, texts) => {
    const all = JSON.stringify([texts, getTeamTexts(language)]);
    expect(new Set(all.match(/[“„‘«]/g)).size).toBe(language === "de" ? 2 : 1);
  },
);
