// One published version of an assessment, with all that is derived from it once.

import type { Definition } from "../../products/values-bridge/definition/definition.ts";
import { qualityModel } from "../../products/values-bridge/definition/quality-model.ts";
import { arrangeQuestions, type Question, scoringModel } from "../../products/values-bridge/definition/questions.ts";
import { type Wording, wordingsOf } from "../../products/values-bridge/definition/wordings.ts";
import { layoutNorms, type NormLayout } from "../../products/values-bridge/norms/accumulators/layout.ts";
import { compilePersonas, type Personas } from "../../products/values-bridge/personas/personas.ts";
import { compileQuality, type QualityAssessor } from "../../products/values-bridge/quality/assess.ts";
import { compileResultsCodec, type ResultsCodec } from "../../products/values-bridge/results/results-codec.ts";
import { compileScoring, type Scorer } from "../../products/values-bridge/scoring/score.ts";
import type { StoredAssessment } from "./assessment-port.ts";

/** A version ready for use. It never changes, so one object serves for ever. */
export interface PublishedAssessment {
  readonly id: number;
  readonly product: string;
  readonly version: number;
  readonly publishedAt: Date;
  /** All that the version was made from. */
  readonly definition: Definition;
  /** By position. */
  readonly questions: readonly Question[];
  readonly questionById: ReadonlyMap<number, Question>;
  readonly scorer: Scorer;
  /** Says what results are worth; made when it is first asked for. */
  readonly quality: () => QualityAssessor;
  /** Which numbers norms of it add up; made when it is first asked for. */
  readonly norms: () => NormLayout;
  /** Made-up people who answer it; made when they are first asked for. */
  readonly personas: () => Personas;
  /** How the store keeps results of this version. */
  readonly resultsCodec: ResultsCodec;
  /** What people read, in every language; that of the definition first. */
  readonly wordings: readonly Wording[];
}

/** Derives questions, their index and the scorer from a stored version. */
export function openAssessment(stored: StoredAssessment): PublishedAssessment {
  const questions = arrangeQuestions(stored.definition, stored.id);
  const model = scoringModel(stored.definition, questions);
  const quality = once(() => compileQuality(qualityModel(stored.definition, questions)));
  const scorer = compileScoring(model);
  return {
    id: stored.id,
    product: stored.product,
    version: stored.version,
    publishedAt: stored.publishedAt,
    definition: stored.definition,
    questions,
    questionById: new Map(questions.map((question) => [question.id, question])),
    scorer,
    quality,
    norms: once(() => layoutNorms(quality().compiled)),
    personas: once(() => compilePersonas(model, scorer)),
    resultsCodec: compileResultsCodec(model),
    wordings: wordingsOf(stored.definition, stored.id),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
