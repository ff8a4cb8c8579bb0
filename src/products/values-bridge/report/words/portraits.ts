// What may be so for people who want and live a value as this person does, what it brings with it, and a question.
import type { Definition } from "../../definition/definition.ts";
import type { ValueFacts } from "../model/facts.ts";
import { minLeaningSteps } from "../model/rules.ts";
import type { ReportPortrait } from "../report-model.ts";
import written from "./portraits.json" with { type: "json" };

/** How a value is wanted and lived. `over`: lived more than wanted. `neither`: the answers show none of the others. */
export type PortraitState = "lived" | "missed" | "over" | "neither";

/** By the name of the value in the definition that ships, which is in English. */
export type Portraits = Readonly<Record<string, Readonly<Record<PortraitState, ReportPortrait>>>>;

/** By language. */
export const portraits: ReadonlyMap<string, Portraits> = new Map(Object.entries(written));

/**
 * The paragraph on a value as it is wanted and lived. Null: nothing is written on it in that language. The name decides,
 * not the id: the values of a partner's own definition may be others.
 * @param language BCP 47 tag of the report
 */
export function findPortrait({ values }: Definition, value: ValueFacts, language: string): ReportPortrait | null {
  const name = values.find(({ id }) => id === value.valueId)?.name ?? "";
  const languagePortraits = portraits.get(language);
  if (languagePortraits === undefined || !Object.hasOwn(languagePortraits, name)) return null;
  return languagePortraits[name]?.[findPortraitState(value)] ?? null;
}

/** A difference that is not named is no proof of a life as wanted: without one, the two have to lie close together. */
export function findPortraitState({ gap, mostWanted }: Pick<ValueFacts, "gap" | "mostWanted">): PortraitState {
  if (gap?.named === true) return gap.steps > 0 ? "missed" : "over";
  return mostWanted && gap !== null && Math.abs(gap.steps) < minLeaningSteps ? "lived" : "neither";
}
