// The headline of a report: the values that the person wants most.

import type { WordedText } from "./model/definition-words.ts";
import { maxHeadlineValues, maxLeadingValues } from "./model/rules.ts";
import type { ReportModel, ReportValue } from "./report-model.ts";
import { chooseReportLanguage } from "./words/language.ts";

/** The values that a poster names, those that lead, else those wanted most. None: the answers choose none. */
export function listPosterValues({ mostWanted, values }: ReportModel): readonly ReportValue[] {
  const entries = mostWanted?.entries ?? [];
  const leading = entries.filter((entry) => entry.leading);
  return (leading.length > 0 ? leading : entries).flatMap(
    ({ valueId }) => values.find((value) => value.valueId === valueId) ?? [],
  );
}

/** What is written above a poster or a shared picture, and what it shows; null: the answers choose no value. */
export function writePosterText(model: ReportModel): { readonly title: string; readonly description: string } | null {
  const names = listPosterValues(model).map(({ name }) => name.text);
  const { texts, say, list } = chooseReportLanguage([model.language]);
  const description = () => say(texts.posterDescription, { count: model.values.length, values: list(names) });
  return names.length === 0 ? null : { title: texts.posterTitle, description: description() };
}

/** The values of the headline: the first two or three of these, more where they are equal: a cut is never made within equal scores. */
export function listHeadlineValues(model: ReportModel): readonly ReportValue[] {
  const values = listPosterValues(model);
  const place = ({ ideal }: ReportValue) =>
    values.filter((other) => (other.ideal.score ?? 0) >= (ideal.score ?? 0)).length;
  const few = values.filter((value) => place(value) <= maxHeadlineValues);
  if (few.length >= 2) return few;
  const next = Math.min(...values.map(place).filter((each) => each > maxHeadlineValues));
  return few.length === 1 && next > maxLeadingValues ? few : values.filter((value) => place(value) <= next);
}

/** What a headline of values says of them; null: it is the name of an archetype. */
export function findHeadlineTopic(model: ReportModel): string | null {
  return listHeadlineValues(model).length === 0 ? null : (model.mostWanted?.title ?? null);
}

/** Their names, else the one name of the archetype. Null: there is neither; what lies between archetypes is no headline. */
export function writeHeadline(model: ReportModel): WordedText | null {
  const choices = listHeadlineValues(model);
  const [first] = choices;
  if (first !== undefined) {
    const { list } = chooseReportLanguage([model.language]);
    return { text: list(choices.map(({ name }) => name.text)), language: first.name.language };
  }
  const { archetype } = model.summary;
  return archetype === null || archetype.between.length > 0 ? null : archetype.name;
}
