// What every part of the simulation works with.
import { readFileSync } from "node:fs";
import type { AssessmentForm } from "../../src/domain/assessments/published-assessment.ts";
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import { toShortForm } from "../../src/products/values-bridge/definition/forms.ts";
import {
  arrangeQuestions,
  toQualityModel,
  toScoringModel,
} from "../../src/products/values-bridge/definition/questions.ts";
import {
  assessSession,
  compileQuality,
  type QualityAssessor,
} from "../../src/products/values-bridge/quality/assess.ts";
import type { Statement } from "../../src/products/values-bridge/quality/compile.ts";
import type { Grade, Quality } from "../../src/products/values-bridge/quality/quality.ts";
import type { Answers } from "../../src/products/values-bridge/scoring/cells.ts";
import { compileScoring, type Scorer } from "../../src/products/values-bridge/scoring/score.ts";

export interface Setting {
  readonly definition: Definition;
  readonly scorer: Scorer;
  readonly assessor: QualityAssessor;
  /** By value, in the order of the definition. */
  readonly statements: readonly (readonly Statement[])[];
  /** Number of statements of a value. */
  readonly perValue: number;
  /** Quality and error without arrival times. Unrounded. */
  assess(answers: readonly number[]): Quality;
  /** Their grade alone; null where a statement is left out. */
  grade(answers: Answers): Grade;
}

/** A form of the instrument that ships with the service. */
export function builtInSetting(form: AssessmentForm = "long"): Setting {
  const file = new URL("../../src/products/values-bridge/definition/values-bridge.json", import.meta.url);
  const all: Definition = JSON.parse(readFileSync(file, "utf8"));
  const definition = form === "short" ? toShortForm(all) : all;
  if (definition === undefined) throw new Error("the instrument has no short form");
  const questions = arrangeQuestions(definition, 1);
  const assessor = compileQuality(toQualityModel(definition, questions));
  const { compiled } = assessor;
  return {
    definition,
    scorer: compileScoring(toScoringModel(definition, questions)),
    assessor,
    statements: compiled.statements,
    perValue: compiled.statements[0]?.length ?? 0,
    assess: (answers) => assessSession(compiled, answers, null),
    grade: (answers) => assessor.judge(answers, null).grade,
  };
}
