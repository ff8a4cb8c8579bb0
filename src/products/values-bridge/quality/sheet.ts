// The answers of one session, gathered by cell once for all computations.

import { type Answers, answerTo, type CellScore, type Item, keyedAnswer } from "../scoring/cells.ts";
import { type Evaluation, evaluate, scoreCells, scoresOf } from "../scoring/evaluate.ts";
import { at } from "../scoring/exact.ts";
import type { LifeContext } from "../scoring/model.ts";
import type { CompiledQuality } from "./compile.ts";
import type { Sample } from "./statistics.ts";

/** Sums over the answered statements of one cell: a sample of keyed points, with weights and raw ratings. */
export interface CellSums extends Sample {
  /** Sum of the integer weights, and of their squares. */
  readonly weight: number;
  readonly squaredWeight: number;
  /** Mean raw ratings of the forward and of the inverse statements; null unless both kinds are answered. */
  readonly bothKeys: { readonly forward: number; readonly inverse: number } | null;
}

/** The answered statements of one session. */
export interface Sheet {
  /** Raw ratings of the two blocks in asking order; null if unanswered. */
  readonly blocks: readonly [Answers, Answers];
  /** The ratings given, without unanswered statements. */
  readonly ratings: readonly number[];
  /** In ascending value id. */
  readonly cells: Readonly<Record<LifeContext, readonly CellSums[]>>;
}

/** Gathers answers that have been checked; they are in the order of the model's questions. */
function readSheet({ blocks: [first, second], cells }: CompiledQuality, answers: Answers): Sheet {
  const ratingsAt = (positions: readonly number[]) => positions.map((position) => at(answers, position));
  const blocks = [ratingsAt(first.positions), ratingsAt(second.positions)] as const;
  const ratings: number[] = [];
  for (const block of blocks) for (const rating of block) if (rating !== null) ratings.push(rating);
  const sumsOf = (items: readonly Item[]) => sumCell(items, answers);
  return {
    blocks,
    ratings,
    cells: { ideal: cells.ideal.map(sumsOf), current: cells.current.map(sumsOf) },
  };
}

function sumCell(items: readonly Item[], answers: Answers): CellSums {
  let count = 0;
  let sum = 0;
  let squares = 0;
  let weight = 0;
  let squaredWeight = 0;
  let inverse = 0;
  let forwardSum = 0;
  let inverseSum = 0;
  for (const item of items) {
    const rating = answerTo(item, answers);
    if (rating === null) continue;
    const points = keyedAnswer(item, rating);
    count += 1;
    sum += points;
    squares += points * points;
    weight += item.weight;
    squaredWeight += item.weight * item.weight;
    if (item.inverse) {
      inverse += 1;
      inverseSum += rating;
    } else {
      forwardSum += rating;
    }
  }
  const forward = count - inverse;
  const bothKeys = forward > 0 && inverse > 0 ? { forward: forwardSum / forward, inverse: inverseSum / inverse } : null;
  return { count, sum, squares, weight, squaredWeight, bothKeys };
}

/** The answers of one session with all inputs of response quality. */
export interface ReadAnswers {
  readonly answers: Answers;
  readonly sheet: Sheet;
  /** Exact scores 0..1 in ascending value id; null if a value is not scored. */
  readonly scores: Readonly<Record<LifeContext, readonly (number | null)[]>>;
  /** The cells that are scored. */
  readonly scoredCells: Readonly<Record<LifeContext, readonly CellSums[]>>;
}

export interface ReadSession extends ReadAnswers {
  readonly evaluation: Evaluation;
}

/**
 * Reads the answers of one session.
 * @param answers one entry for each of the model's questions, in its order; null if unanswered
 * @throws RangeError for another number of entries, or for an answer that is not a number within the scale
 */
export function readSession(compiled: CompiledQuality, answers: Answers): ReadSession {
  const evaluation = evaluate(compiled.scoring, answers);
  return { ...readScored(compiled, answers, evaluation.ideal.cells, evaluation.current.cells), evaluation };
}

/** The same without what follows from the scores, which is most of the work. */
export function readAnswers(compiled: CompiledQuality, answers: Answers): ReadAnswers {
  const { ideal, current } = scoreCells(compiled.scoring, answers);
  return readScored(compiled, answers, ideal, current);
}

function readScored(
  compiled: CompiledQuality,
  answers: Answers,
  ideal: readonly CellScore[],
  current: readonly CellScore[],
): ReadAnswers {
  const sheet = readSheet(compiled, answers);
  const scores = { ideal: scoresOf(ideal), current: scoresOf(current) };
  const scoredIn = (life: LifeContext) => sheet.cells[life].filter((_, index) => scores[life][index] !== null);
  return { answers, sheet, scores, scoredCells: { ideal: scoredIn("ideal"), current: scoredIn("current") } };
}
