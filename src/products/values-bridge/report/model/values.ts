// Each value of a report, in words.
import type { ReportMostWanted, ReportValue } from "../report-model.ts";
import type { ReportContext } from "./context.ts";
import type { ValueFacts } from "./facts.ts";
import { mostNames } from "./rules.ts";

/** The values in the order of the circle. */
export function valuesOf(context: ReportContext): readonly ReportValue[] {
  const { facts, words } = context;
  return facts.values.map((value): ReportValue => {
    const { valueId, ideal, current, gap, group, mostWanted } = value;
    return {
      valueId,
      name: words.nameOf(valueId),
      goal: words.goalOf(valueId),
      ideal,
      current,
      gap,
      group,
      standing: standingOf(value, context),
      difference: differenceOf(value, context),
      mostWanted,
    };
  });
}

/** What the person wants most: the first tier, in its order. Null if the answers choose no such values. */
export function mostWantedOf({ facts, language }: ReportContext): ReportMostWanted | null {
  const { texts } = language;
  const chosen = facts.values
    .filter(({ mostWanted }) => mostWanted)
    .sort((one, other) => (one.ideal.displayRank ?? 0) - (other.ideal.displayRank ?? 0));
  if (chosen.length === 0) return null;
  const entries = chosen.map((value) => ({
    valueId: value.valueId,
    text: livedAs(value, language),
  }));
  return { title: texts.mostWantedTitle, note: texts.mostWantedNote, entries };
}

/** How much of a wanted value is lived; null if that cannot be told from chance. */
function livedAs({ gap, group }: ValueFacts, { texts, count }: ReportContext["language"]): string | null {
  if (gap === null) return texts.livedUnknown;
  if (group === "asWanted") return texts.livedAsWanted;
  if (group === "unsorted") return null;
  return count(gap.steps > 0 ? texts.livedLess : texts.livedMore, wholeSteps(gap.steps));
}

/** Averages; places of stored results; both where the circle has places in place of names. */
function standingOf(value: ValueFacts, context: ReportContext): string {
  const { facts, language } = context;
  if (facts.explanation === null) return placesOf(value, context);
  const averages = averagesOf(value, context);
  const { displayRank: rank } = value.ideal;
  return facts.values.length > mostNames && rank !== null
    ? `${language.say(language.texts.rank, { rank })}: ${averages}`
    : averages;
}

function averagesOf({ ideal, current }: ValueFacts, { language: { texts, say, decimal } }: ReportContext): string {
  const shown = (average: number | null) => (average === null ? "" : decimal(average));
  const values = { ideal: shown(ideal.average), current: shown(current.average) };
  if (ideal.average === null) return say(current.average === null ? texts.averageNone : texts.averageCurrent, values);
  return say(current.average === null ? texts.averageIdeal : texts.averages, values);
}

function placesOf({ ideal, current }: ValueFacts, { language: { texts, say } }: ReportContext): string {
  const values = {
    ideal: ideal.displayRank ?? "",
    idealTier: ideal.tier,
    current: current.displayRank ?? "",
    currentTier: current.tier,
  };
  if (ideal.displayRank === null)
    return say(current.displayRank === null ? texts.placeNone : texts.placeCurrent, values);
  return say(current.displayRank === null ? texts.placeIdeal : texts.places, values);
}

/** The difference of today in whole steps: of what is named, and of all stored gaps. */
function differenceOf({ gap }: ValueFacts, { facts, language: { texts, count } }: ReportContext): string | null {
  if (gap === null || (facts.explanation !== null && !gap.named)) return null;
  const steps = wholeSteps(gap.steps);
  return steps === 0 ? texts.lessThanOneStep : count(gap.steps > 0 ? texts.stepsLess : texts.stepsMore, steps);
}

/** Halves away from zero. */
function wholeSteps(steps: number): number {
  return Math.round(Math.abs(steps));
}
