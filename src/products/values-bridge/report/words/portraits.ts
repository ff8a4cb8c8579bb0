// Portraits: what is typical of people who want and live a value in some way, what it costs, and a question.
import type { Definition } from "../../definition/definition.ts";
import type { ValueFacts } from "../model/facts.ts";
import { minLeaningSteps } from "../model/rules.ts";
import type { ReportPortrait } from "../report-model.ts";
import written from "./portraits.json" with { type: "json" };

/** The state of a value. `over`: lived more than wanted. `neither`: none of the others is clear. */
export type PortraitState = "lived" | "missed" | "over" | "neither";

/** By the English name of the value in the shipped definition. */
export type Portraits = Readonly<Record<string, Readonly<Record<PortraitState, ReportPortrait>>>>;

/** By language. */
export const portraits: ReadonlyMap<string, Portraits> = new Map(Object.entries(written));

/** The portrait of a value, found by its name; null for values of another definition. @param language BCP 47 tag of the report */
export function findPortrait({ values }: Definition, value: ValueFacts, language: string): ReportPortrait | null {
  const name = values.find(({ id }) => id === value.valueId)?.name ?? "";
  const languagePortraits = portraits.get(language);
  if (languagePortraits === undefined || !Object.hasOwn(languagePortraits, name)) return null;
  return languagePortraits[name]?.[findPortraitState(value)] ?? null;
}

/** Without a named difference, a value counts as lived only if both scores are close. */
export function findPortraitState({ gap, mostWanted }: Pick<ValueFacts, "gap" | "mostWanted">): PortraitState {
  if (gap?.named === true) return gap.steps > 0 ? "missed" : "over";
  return mostWanted && gap !== null && Math.abs(gap.steps) < minLeaningSteps ? "lived" : "neither";
}
