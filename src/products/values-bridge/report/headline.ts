// The headline of a report: the values that the person wants most.

import type { WordedText } from "../definition/names.ts";
import { leadingNames } from "./model/rules.ts";
import type { ReportModel, ReportValue } from "./report-model.ts";
import { reportLanguageFor } from "./words/language.ts";

/** The values that lead, else those wanted most. None: the answers name none. */
function chosenValues({ mostWanted, values }: ReportModel): readonly ReportValue[] {
  const entries = mostWanted?.entries ?? [];
  const leading = entries.filter((entry) => entry.leading);
  return (leading.length > 0 ? leading : entries).flatMap(
    ({ valueId }) => values.find((value) => value.valueId === valueId) ?? [],
  );
}

/** More values than these leave the circle of a poster too little room. */
const mostOnPoster = 6;

/** The values that a poster names. None: the answers choose none. */
export function posterValues(model: ReportModel): readonly ReportValue[] {
  return chosenValues(model).slice(0, mostOnPoster);
}

/**
 * Their names, else the one name of the archetype. Null: there is neither, since more values than can lead are no choice of
 * the person's, and what lies between archetypes is no headline.
 */
export function headlineOf(model: ReportModel): WordedText | null {
  const choices = chosenValues(model);
  const [first] = choices;
  if (first !== undefined && choices.length <= leadingNames) {
    const { list } = reportLanguageFor([model.language]);
    return { text: list(choices.map(({ name }) => name.text)), language: first.name.language };
  }
  const { archetype } = model.summary;
  return archetype === null || archetype.between.length > 0 ? null : archetype.name;
}
