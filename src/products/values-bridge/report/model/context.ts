// The context for writing every section of a report.
import type { ReportInput } from "../report-input.ts";
import type { ReportLanguage } from "../words/language.ts";
import type { DefinitionWords } from "./definition-words.ts";
import type { Facts } from "./facts.ts";

export interface ReportContext {
  readonly input: ReportInput;
  readonly facts: Facts;
  readonly words: DefinitionWords;
  readonly language: ReportLanguage;
}
