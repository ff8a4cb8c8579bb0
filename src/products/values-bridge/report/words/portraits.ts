// A paragraph on each value that leads: what it looks like, what it costs, and a question.
import type { Definition } from "../../definition/definition.ts";
import type { ReportPortrait } from "../report-model.ts";
import { englishPortraits } from "./portraits-english.ts";
import { germanPortraits } from "./portraits-german.ts";

/** By the name of the value in the definition that ships, which is in English. */
export type Portraits = Readonly<Record<string, ReportPortrait>>;

/** By language. */
export const portraits: ReadonlyMap<string, Portraits> = new Map([
  ["en", englishPortraits],
  ["de", germanPortraits],
]);

/**
 * The paragraph on a value. Null: nothing is written on it in that language. The name decides, not the id: the values of a
 * partner's own definition may be others.
 * @param language BCP 47 tag of the report
 */
export function portraitOf({ values }: Definition, valueId: number, language: string): ReportPortrait | null {
  const name = values.find(({ id }) => id === valueId)?.name ?? "";
  const ofLanguage = portraits.get(language);
  return ofLanguage !== undefined && Object.hasOwn(ofLanguage, name) ? (ofLanguage[name] ?? null) : null;
}
