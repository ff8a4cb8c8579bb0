// The language of a report: its texts, and formats of numbers, dates and lists.
import { once } from "../../../../kernel/once.ts";
import { type CatalogueOf, chooseCatalogue, type Plural, toLanguage } from "../../../../presentation/phrases.ts";
import german from "./de.json" with { type: "json" };
import english from "./en.json" with { type: "json" };
import spanish from "./es.json" with { type: "json" };
import french from "./fr.json" with { type: "json" };
import italian from "./it.json" with { type: "json" };
import dutch from "./nl.json" with { type: "json" };

/** The texts of a report by name; English has all. docs/reports.md says how they are worded. */
export type ReportTexts = typeof english.texts;

/** The texts of one language. */
export interface ReportCatalogue extends CatalogueOf<ReportTexts> {
  /** BCP 47 tag of the conventions for dates, numbers and lists. */
  readonly formats: string;
}

/** A language with the functions that reports need. */
export type ReportLanguage = ReturnType<typeof toReportLanguage>;

/** The languages that reports are written in. */
export const reportCatalogues: readonly [ReportCatalogue, ...ReportCatalogue[]] = [
  english,
  german,
  spanish,
  french,
  italian,
  dutch,
];

const languages: ReadonlyMap<string, ReportLanguage> = new Map(
  reportCatalogues.map((catalogue) => [catalogue.language, toReportLanguage(catalogue)]),
);

/** The first language of the preferences that reports are written in, else English. @param preferred BCP 47 tags */
export function chooseReportLanguage(preferred: readonly string[]): ReportLanguage {
  const catalogue = chooseCatalogue(preferred, reportCatalogues);
  return languages.get(catalogue.language) ?? toReportLanguage(catalogue);
}

function toReportLanguage(catalogue: ReportCatalogue) {
  const { formats } = catalogue;
  // Created with the first report: they load 9 MB of data.
  const lists = once(() => new Intl.ListFormat(formats, { type: "conjunction" }));
  const decimals = once(() => new Intl.NumberFormat(formats, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));
  const short = once(() => new Intl.NumberFormat(formats, { maximumFractionDigits: 1 }));
  const plurals = once(() => new Intl.PluralRules(formats, { maximumFractionDigits: 1 }));
  const languageNames = once(() => new Intl.DisplayNames(formats, { type: "language" }));
  const language = toLanguage(catalogue);
  const step: Plural = catalogue.texts.step;
  return {
    ...language,
    /** Names as one phrase: "A, B and C". */
    formatList: (names: readonly string[]) => lists().format(names),
    /** A number with one decimal. */
    formatDecimal: (value: number) => decimals().format(roundToTenths(value)),
    /** A number with one decimal at most. */
    formatSteps: (value: number) => short().format(roundToTenths(value)),
    /** The same with its unit: "1 step", "1.5 steps". */
    formatStepCount(value: number): string {
      const count = roundToTenths(value);
      return language.say(step[plurals().select(count)] ?? step.other, { count: short().format(count) });
    },
    /** The day of a moment. @param timeZone IANA name; undefined: the day is in UTC, and says so */
    formatDate(moment: Date, timeZone: string | undefined): string {
      const day = new Intl.DateTimeFormat(formats, { dateStyle: "long", timeZone: timeZone ?? "UTC" }).format(moment);
      return timeZone === undefined ? `${day} (UTC)` : day;
    },
    /** The name of a language. @param tag BCP 47 */
    findLanguageName: (tag: string) => languageNames().of(tag) ?? tag,
  };
}

/** Rounds to one decimal, half away from zero; first to nine, since scores are quotients of doubles. */
export function roundToTenths(value: number): number {
  const size = Math.round(Math.round(Math.abs(value) * 1e9) / 1e8) / 10;
  return value < 0 ? -size : size;
}
