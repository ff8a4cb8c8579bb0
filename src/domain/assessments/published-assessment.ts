// One published version of an assessment, with all that is derived from it once.
import type { Definition } from "../../values-bridge/definition/definition.ts";
import { arrangeQuestions, type Question, scoringModel } from "../../values-bridge/definition/questions.ts";
import { type Wording, wordingsOf } from "../../values-bridge/definition/wordings.ts";
import { compileResultsCodec, type ResultsCodec } from "../../values-bridge/results/results-codec.ts";
import { compileScoring, type Scorer } from "../../values-bridge/scoring/score.ts";
import type { StoredAssessment } from "../ports/assessments.ts";

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
  /** How the store keeps results of this version. */
  readonly resultsCodec: ResultsCodec;
  /** What people read, in every language; that of the definition first. */
  readonly wordings: readonly Wording[];
}

/** Derives questions, their index and the scorer from a stored version. */
export function openAssessment(stored: StoredAssessment): PublishedAssessment {
  const questions = arrangeQuestions(stored.definition, stored.id);
  const model = scoringModel(stored.definition, questions);
  return {
    id: stored.id,
    product: stored.product,
    version: stored.version,
    publishedAt: stored.publishedAt,
    definition: stored.definition,
    questions,
    questionById: new Map(questions.map((question) => [question.id, question])),
    scorer: compileScoring(model),
    resultsCodec: compileResultsCodec(model),
    wordings: wordingsOf(stored.definition, stored.id),
  };
}
