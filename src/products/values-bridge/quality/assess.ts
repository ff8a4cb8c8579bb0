// Entry point of quality: creates an assessor from a model.
import type { Answers } from "../scoring/cells.ts";
import { type CompiledQuality, compileQualityModel } from "./compile.ts";
import { estimateError } from "./error.ts";
import type { ArrivalTimes, QualityModel } from "./model.ts";
import type { Quality, ResponseQuality } from "./quality.ts";
import { readAnswers, readSession } from "./read-answers.ts";
import { assessResponse, isUsable } from "./response.ts";
import { roundNumbers } from "./rounding.ts";

/** Assesses the quality of results of one assessment version. */
export type QualityAssessor = ReturnType<typeof compileQuality>;

/**
 * Prepares an assessor, to be kept. Its functions are pure, and throw RangeError for another number of answers than the model has
 * questions, or for an answer that is not a number within the scale.
 * @throws RangeError if a statement names a question that is not there
 */
export function compileQuality(model: QualityModel) {
  const compiled = compileQualityModel(model);
  return {
    /** Everything that depends on the version only; for comparing sessions. */
    compiled,
    /** Quality and error of one session, rounded. @param times when the answers arrived; null if not known */
    assess: (answers: Answers, times: ArrivalTimes | null): Quality =>
      roundNumbers(assessSession(compiled, answers, times)),
    /** Only the response quality of that block, which is much faster. */
    judge: (answers: Answers, times: ArrivalTimes | null): ResponseQuality =>
      roundNumbers(assessResponse(compiled, readAnswers(compiled, answers), times)),
  };
}

/** The block with unrounded numbers. */
export function assessSession(compiled: CompiledQuality, answers: Answers, times: ArrivalTimes | null): Quality {
  const session = readSession(compiled, answers);
  const { ratings, scoredCells, evaluation } = session;
  const response = assessResponse(compiled, session, times);
  return {
    model: "quality-and-error",
    version: 2,
    coverage: {
      answered: ratings.length,
      asked: compiled.questionCount,
      scoredIdeal: scoredCells.ideal.length,
      scoredCurrent: scoredCells.current.length,
      gaps: evaluation.totalGap?.values ?? 0,
      pairings: evaluation.harmony.pairings + evaluation.conflict.pairings,
    },
    response,
    error: isUsable(response.grade) ? estimateError(compiled, session) : null,
    norms: null,
  };
}
