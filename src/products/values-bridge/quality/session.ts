// One session, read once for all parts of quality.

import { type Evaluation, evaluate, scoresOf } from "../scoring/evaluate.ts";
import type { Answers } from "../scoring/formulas/cells.ts";
import type { LifeContext } from "../scoring/model.ts";
import type { CompiledQuality } from "./compile.ts";
import { type CellSums, readSheet, type Sheet } from "./sheet.ts";

export interface ReadSession {
  readonly answers: Answers;
  readonly sheet: Sheet;
  readonly evaluation: Evaluation;
  /** Exact scores 0..1 in ascending value id; null if a value is not scored. */
  readonly scores: Readonly<Record<LifeContext, readonly (number | null)[]>>;
  /** The cells that are scored. */
  readonly scoredCells: Readonly<Record<LifeContext, readonly CellSums[]>>;
}

/**
 * Reads the answers of one session.
 * @param answers one entry for each of the model's questions, in its order; null if unanswered
 * @throws RangeError for another number of entries, or for an answer that is not a number within the scale
 */
export function readSession(compiled: CompiledQuality, answers: Answers): ReadSession {
  const evaluation = evaluate(compiled.scoring, answers);
  const sheet = readSheet(compiled, answers);
  const scores = { ideal: scoresOf(evaluation.ideal.cells), current: scoresOf(evaluation.current.cells) };
  const scoredIn = (life: LifeContext) => sheet.cells[life].filter((_, index) => scores[life][index] !== null);
  return {
    answers,
    sheet,
    evaluation,
    scores,
    scoredCells: { ideal: scoredIn("ideal"), current: scoredIn("current") },
  };
}
