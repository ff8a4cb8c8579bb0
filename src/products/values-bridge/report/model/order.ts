// Values in the order of lists and sentences.
import type { ReportGroup } from "../report-model.ts";
import { roundToTenths } from "../words/language.ts";
import type { Facts, ValueFacts } from "./facts.ts";

/** The values of a group, the largest difference as readers see it first, then by the life wanted. */
export function listGroup({ values, sortable }: Facts, group: ReportGroup): readonly ValueFacts[] {
  const members = values.filter((value) => value.group === group);
  return sortable ? members.sort(compareSize) : members;
}

function compareSize(one: ValueFacts, other: ValueFacts): number {
  const size = ({ gap }: ValueFacts) => Math.abs(gap?.steps ?? 0);
  return roundShownSteps(other) - roundShownSteps(one) || size(other) - size(one) || compareWanted(one, other);
}

/** The size of a difference as the rounded averages show it, 0 or more. */
export function roundShownSteps({ ideal, current, gap }: ValueFacts): number {
  if (ideal.average === null || current.average === null) return Math.abs(gap?.steps ?? 0);
  return roundToTenths(Math.abs(roundToTenths(ideal.average) - roundToTenths(current.average)));
}

/** Orders by rank in the life wanted. */
export function compareWanted(one: ValueFacts, other: ValueFacts): number {
  const place = ({ ideal }: ValueFacts) => ideal.displayRank ?? Number.MAX_SAFE_INTEGER;
  return place(one) - place(other);
}

/** The values with a named difference, the largest first. */
export function listNamedGaps({ values }: Facts): readonly ValueFacts[] {
  return values.filter(({ gap }) => gap?.named).sort(compareSize);
}

/** The most wanted values, leading ones first. */
export function listMostWanted({ values }: Facts): readonly ValueFacts[] {
  return values
    .filter(({ mostWanted }) => mostWanted)
    .sort((one, other) => Number(other.leading) - Number(one.leading) || compareWanted(one, other));
}
