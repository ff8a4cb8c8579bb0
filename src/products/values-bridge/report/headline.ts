// The headline of a report: the values that the person wants most.

import { maxHeadlineValues, maxLeadingValues } from "./model/rules.ts";
import type { WordedText } from "./model/writer.ts";
import type { ReportModel, ReportValue } from "./report-model.ts";
import { chooseReportLanguage } from "./words/language.ts";

/** The values on a poster: the leading ones, else those wanted most; none if the answers choose no values. */
export function listPosterValues({ mostWanted, values }: ReportModel): readonly ReportValue[] {
  const entries = mostWanted?.entries ?? [];
  const leading = entries.filter((entry) => entry.leading);
  return (leading.length > 0 ? leading : entries).flatMap(
    ({ valueId }) => values.find((value) => value.valueId === valueId) ?? [],
  );
}

/** Title and description of a poster or a shared picture; null if the answers choose no value. */
export function writePosterText(model: ReportModel): { readonly title: string; readonly description: string } | null {
  const names = listPosterValues(model).map(({ name }) => name.text);
  if (names.length === 0) return null;
  const { texts, say, formatList } = chooseReportLanguage([model.language]);
  const description = say(texts.posterDescription, { count: model.values.length, values: formatList(names) });
  return { title: texts.posterTitle, description };
}

/** The values of the headline: the first two or three of a poster's, or more with equal scores, which stay together. */
export function listHeadlineValues(model: ReportModel): readonly ReportValue[] {
  const values = listPosterValues(model);
  const place = ({ ideal }: ReportValue) =>
    values.filter((other) => (other.ideal.score ?? 0) >= (ideal.score ?? 0)).length;
  const few = values.filter((value) => place(value) <= maxHeadlineValues);
  if (few.length >= 2) return few;
  const next = Math.min(...values.map(place).filter((each) => each > maxHeadlineValues));
  return few.length === 1 && next > maxLeadingValues ? few : values.filter((value) => place(value) <= next);
}

/** The line above a headline of values; null if the headline is an archetype. */
export function findHeadlineTopic(model: ReportModel): string | null {
  return listHeadlineValues(model).length === 0 ? null : (model.mostWanted?.title ?? null);
}

/** The names of the headline's values, else the archetype; null if there is neither, or several archetypes fit. */
export function writeHeadline(model: ReportModel): WordedText | null {
  const choices = listHeadlineValues(model);
  const [first] = choices;
  if (first !== undefined) {
    const { formatList } = chooseReportLanguage([model.language]);
    return { text: formatList(choices.map(({ name }) => name.text)), language: first.name.language };
  }
  const { archetype } = model.summary;
  return archetype === null || archetype.between.length > 0 ? null : archetype.name;
}
