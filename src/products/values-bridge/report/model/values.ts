// Each value of a report, in words.
import type { ReportMostWanted, ReportValue } from "../report-model.ts";
import { findPortrait } from "../words/portraits.ts";
import type { Facts, ReportContext, ValueFacts } from "./facts.ts";
import { maxCloseValues, minLeaningSteps } from "./rules.ts";
import { compareCircleOrder, roundShownSteps } from "./sections.ts";
import { findStatements } from "./statements.ts";

/** The values in the order of the circle. */
export function writeValues(context: ReportContext): readonly ReportValue[] {
  const { facts, words } = context;
  const statements = findStatements(context);
  return facts.values.map((value): ReportValue => {
    const { valueId, ideal, current, gap, group, mostWanted } = value;
    return {
      valueId,
      name: words.findValueName(valueId),
      goal: words.findValueGoal(valueId),
      ideal,
      current,
      gap,
      group,
      standing: writeAverages(value, context),
      difference: writeDifference(value, context),
      statements: statements.get(valueId) ?? [],
      mostWanted,
    };
  });
}

/** The most wanted values, leading ones first; null if the answers choose none. */
export function writeMostWanted(context: ReportContext): ReportMostWanted | null {
  const { facts, words, language, input } = context;
  const { texts, say, formatList } = language;
  const choices = facts.values.filter(({ mostWanted }) => mostWanted).sort(compareCircleOrder);
  if (choices.length === 0) return null;
  const inOrder = [...choices.filter(({ leading }) => leading), ...choices.filter(({ leading }) => !leading)];
  const behind = findCloseBehind(facts);
  const names = behind.map(({ valueId }) => words.findValueName(valueId).text);
  const entries = inOrder.map((value) => ({
    valueId: value.valueId,
    text: writeLived(value, context),
    leading: value.leading,
    portrait: value.leading ? findPortrait(input.definition, value, language.tag) : null,
  }));
  const isPortrayed = entries.some(({ portrait }) => portrait !== null);
  const notes = [
    texts.mostWantedNote,
    ...(isPortrayed ? [texts.portraitsNote] : []),
    // Once, since it is true for most values.
    ...(inOrder.some(({ group }) => group === "asWanted") ? [texts.livedAsWanted] : []),
  ];
  return {
    title: texts.mostWantedTitle,
    note: notes.join(" "),
    entries,
    closeBehind:
      names.length === 0
        ? null
        : {
            text: say(texts.closeBehind, { values: formatList(names) }),
            valueIds: behind.map(({ valueId }) => valueId),
          },
  };
}

/** The highest of the values that are close behind. Equal ones are omitted together. */
function findCloseBehind({ values }: Facts): readonly ValueFacts[] {
  const behind = values.filter(({ closeBehind }) => closeBehind).sort(compareCircleOrder);
  const without = behind[maxCloseValues];
  return without === undefined
    ? behind
    : behind.filter(({ ideal: { score } }) => (score ?? 0) > (without.ideal.score ?? 0));
}

/** The difference between the lives in words; null if it is small or could be chance. */
function writeLived(value: ValueFacts, { language: { texts, say, formatStepCount } }: ReportContext): string | null {
  const { gap, group } = value;
  if (gap === null) return texts.livedUnknown;
  if (group === "asWanted" || group === "unsorted") return null;
  return say(gap.steps > 0 ? texts.livedLess : texts.livedMore, { steps: formatStepCount(roundShownSteps(value)) });
}

function writeAverages(
  { ideal, current }: ValueFacts,
  { language: { texts, say, formatDecimal } }: ReportContext,
): string {
  const shown = (average: number | null) => (average === null ? "" : formatDecimal(average));
  const values = { ideal: shown(ideal.average), current: shown(current.average) };
  if (ideal.average === null) return say(current.average === null ? texts.averageNone : texts.averageCurrent, values);
  return say(current.average === null ? texts.averageIdeal : texts.averages, values);
}

/** The difference in steps; "could be chance" if it is not named. */
function writeDifference(
  value: ValueFacts,
  { facts, language: { texts, say, formatStepCount } }: ReportContext,
): string | null {
  const { gap } = value;
  if (gap === null) return null;
  const size = roundShownSteps(value);
  const difference = say(gap.steps > 0 ? texts.moreWanted : texts.moreToday, { steps: formatStepCount(size) });
  if (gap.named) return difference;
  return facts.sortable && Math.abs(gap.steps) >= minLeaningSteps ? say(texts.leaning, { difference }) : null;
}
