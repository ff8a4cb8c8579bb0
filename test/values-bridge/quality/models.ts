// Models for quality tests: the built-in instrument, and questionnaires made by hand.
import { readFileSync } from "node:fs";
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { gradeCuts } from "../../../src/products/values-bridge/definition/forms.ts";
import {
  arrangeQuestions,
  toScoringModel as scoringModelOf,
  toQualityModel,
} from "../../../src/products/values-bridge/definition/questions.ts";
import { compileQuality, type QualityAssessor } from "../../../src/products/values-bridge/quality/assess.ts";
import type { QualityModel } from "../../../src/products/values-bridge/quality/model.ts";
import type { ScoringQuestion } from "../../../src/products/values-bridge/scoring/model.ts";
import { compileScoring, type Scorer } from "../../../src/products/values-bridge/scoring/score.ts";
import { blockLength, questionnaire, toScoringModel } from "../../support/values-bridge/scoring-model.ts";

const file = new URL("../../../src/products/values-bridge/definition/values-bridge.json", import.meta.url);

/** The definition of the instrument that ships. */
export const builtIn: Definition = JSON.parse(readFileSync(file, "utf8"));

/** The same with its first values alone, and the pairings of these. */
export function withFirstValues(count: number): Definition {
  const values = builtIn.values.slice(0, count);
  const isOf = (id: number) => values.some((value) => value.id === id);
  return { ...builtIn, values, pairings: builtIn.pairings.filter((pairing) => pairing.values.every(isOf)) };
}

export function assessorOf(definition: Definition): QualityAssessor {
  return compileQuality(toQualityModel(definition, arrangeQuestions(definition, 1)));
}

export function scorerOf(definition: Definition): Scorer {
  return compileScoring(scoringModelOf(definition, arrangeQuestions(definition, 1)));
}

/** A model over questions as `questionnaire` makes them: the second block repeats the statements of the first. */
export function modelOf(questions: readonly ScoringQuestion[]): QualityModel {
  const statements = questions.slice(0, blockLength).map(({ valueId }, index) => {
    return { valueId, predicate: `statement ${index + 1}`, ideal: index, current: blockLength + index };
  });
  return { scoring: toScoringModel(questions), statements, cuts: gradeCuts.long };
}

/** The assessor of the plain questionnaire: 19 values, 4 statements each, value by value, the last one inverse. */
export const plain: QualityAssessor = compileQuality(modelOf(questionnaire()));
