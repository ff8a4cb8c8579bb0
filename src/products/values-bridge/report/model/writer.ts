// The writer of a report: texts of reports and of a definition in one language, and the facts that they tell.
import { matchLanguage } from "../../../../kernel/languages.ts";
import type { Definition } from "../../definition/definition.ts";
import { listLanguages, translate } from "../../definition/wordings.ts";
import type { ReportInput } from "../report-input.ts";
import { chooseReportLanguage } from "../words/language.ts";
import type { Facts } from "./facts.ts";

/** A text with its language. */
export interface WordedText {
  readonly text: string;
  /** BCP 47 tag. */
  readonly language: string;
}

export type Writer = ReturnType<typeof createWriter>;

/** The writer of a report on a person. */
export interface ReportWriter extends Writer {
  readonly input: ReportInput;
  readonly facts: Facts;
}

/**
 * The texts in the first requested language that reports are written in; those of the definition in its own language if they
 * are not translated. Its functions throw RangeError for an id that the definition does not have.
 * @param locales BCP 47 tags, the preferred one first
 */
export function createWriter(definition: Definition, locales: readonly string[]) {
  const language = chooseReportLanguage(locales);
  const tags = listLanguages(definition).map((each) => each.language);
  const translated = translate(definition, matchLanguage([language.tag], tags));
  const { min, max } = definition.scale;
  const toWorded = (text: string): WordedText => ({ text, language: translated.language });
  const archetypes = [...translated.archetypes, translated.unresolvedArchetype];
  return {
    ...language,
    /** The definition with its own texts in this language. */
    translated,
    /** A text of that definition. */
    toWorded,
    getValueName: (valueId: number) => getById(translated.values, valueId).name,
    getValueTexts(valueId: number) {
      const { name, goal } = getById(translated.values, valueId);
      return { name: toWorded(name), goal: toWorded(goal) };
    },
    getArchetypeTexts(archetypeId: number) {
      const { name, summary } = getById(archetypes, archetypeId);
      return { name: toWorded(name), summary: toWorded(summary) };
    },
    /** Points of 0..100 in steps of the answer scale. */
    toSteps: (points: number) => (points * (max - min)) / 100,
  };
}

function getById<T extends { readonly id: number }>(list: readonly T[], id: number): T {
  const entry = list.find((each) => each.id === id);
  if (entry === undefined) throw new RangeError(`the definition has no value or archetype ${id}`);
  return entry;
}
