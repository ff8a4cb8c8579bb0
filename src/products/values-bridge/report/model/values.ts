// Each value of a report, in words.
import type { ReportMostWanted, ReportValue } from "../report-model.ts";
import { findPortrait } from "../words/portraits.ts";
import type { Facts, ValueFacts } from "./facts.ts";
import { compareWanted, listMostWanted, roundShownSteps } from "./order.ts";
import { maxCloseValues, minLeaningSteps } from "./rules.ts";
import { writeStatements } from "./statements.ts";
import type { ReportWriter } from "./writer.ts";

/** The values in the order of the circle. */
export function writeValues(writer: ReportWriter): readonly ReportValue[] {
  const statements = writeStatements(writer);
  return writer.facts.values.map((value): ReportValue => {
    const { valueId, ideal, current, gap, group, mostWanted } = value;
    return {
      valueId,
      ...writer.getValueTexts(valueId),
      ideal,
      current,
      gap,
      group,
      standing: writeAverages(value, writer),
      difference: writeDifference(value, writer),
      statements: statements.get(valueId) ?? [],
      mostWanted,
    };
  });
}

/** The most wanted values, leading ones first; null if the answers choose none. */
export function writeMostWanted(writer: ReportWriter): ReportMostWanted | null {
  const { facts, input, tag, texts, say, formatList, getValueName } = writer;
  const values = listMostWanted(facts);
  if (values.length === 0) return null;
  const behind = listCloseBehind(facts).map(({ valueId }) => valueId);
  const entries = values.map((value) => ({
    valueId: value.valueId,
    text: writeLived(value, writer),
    leading: value.leading,
    portrait: value.leading ? findPortrait(input.definition, value, tag) : null,
  }));
  const notes = [
    texts.mostWantedNote,
    ...(entries.some(({ portrait }) => portrait !== null) ? [texts.portraitsNote] : []),
    // Once, since it is true for most values.
    ...(values.some(({ group }) => group === "asWanted") ? [texts.livedAsWanted] : []),
  ];
  const closeText = say(texts.closeBehind, { values: formatList(behind.map(getValueName)) });
  return {
    title: texts.mostWantedTitle,
    note: notes.join(" "),
    entries,
    closeBehind: behind.length === 0 ? null : { text: closeText, valueIds: behind },
  };
}

/** The highest of the values that are close behind. Equal ones are omitted together. */
function listCloseBehind({ values }: Facts): readonly ValueFacts[] {
  const behind = values.filter(({ closeBehind }) => closeBehind).sort(compareWanted);
  const omittedScore = behind[maxCloseValues]?.ideal.score ?? -1;
  return behind.filter(({ ideal: { score } }) => (score ?? 0) > omittedScore);
}

/** The difference between the lives in words; null if it is small or could be chance. */
function writeLived(value: ValueFacts, { texts, say, formatStepCount }: ReportWriter): string | null {
  const { gap, group } = value;
  if (gap === null) return texts.livedUnknown;
  if (group === "asWanted" || group === "unsorted") return null;
  return say(gap.steps > 0 ? texts.livedLess : texts.livedMore, { steps: formatStepCount(roundShownSteps(value)) });
}

function writeAverages({ ideal, current }: ValueFacts, { texts, say, formatDecimal }: ReportWriter): string {
  const shown = (average: number | null) => (average === null ? "" : formatDecimal(average));
  const values = { ideal: shown(ideal.average), current: shown(current.average) };
  if (ideal.average === null) return say(current.average === null ? texts.averageNone : texts.averageCurrent, values);
  return say(current.average === null ? texts.averageIdeal : texts.averages, values);
}

/** The difference in steps; "could be chance" if it is not named. */
function writeDifference(value: ValueFacts, { facts, texts, say, formatStepCount }: ReportWriter): string | null {
  const { gap } = value;
  if (gap === null) return null;
  const size = roundShownSteps(value);
  const difference = say(gap.steps > 0 ? texts.moreWanted : texts.moreToday, { steps: formatStepCount(size) });
  if (gap.named) return difference;
  return facts.sortable && Math.abs(gap.steps) >= minLeaningSteps ? say(texts.leaning, { difference }) : null;
}
