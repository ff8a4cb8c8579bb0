// The answers of one session by cell, for all computations.
import { type Answers, type CellScore, type Item, readAnswer, scoreItem } from "../scoring/cells.ts";
import { type Evaluation, evaluate, scoreCells, toScores } from "../scoring/evaluate.ts";
import { at } from "../scoring/exact.ts";
import type { LifeContext, Measure } from "../scoring/model.ts";
import type { Block, CompiledQuality, Statement } from "./compile.ts";
import { average, toWeightedSample, type WeightedPoints, type WeightedSample } from "./statistics.ts";

/** Sums over the answered statements of one cell: a sample of keyed points, with weights and raw ratings. */
export interface CellSums extends WeightedSample {
  /** Mean raw ratings of the forward and of the inverse statements; null unless both kinds are answered. */
  readonly bothKeys: { readonly forward: number; readonly inverse: number } | null;
}

function sumCell(items: readonly Item[], answers: Answers): CellSums {
  const ratings = { forward: [] as number[], inverse: [] as number[] };
  const points: WeightedPoints[] = [];
  for (const item of items) {
    const rating = readAnswer(item, answers);
    if (rating !== null) ratings[item.inverse ? "inverse" : "forward"].push(rating);
    points.push(...listWeightedPoints(scoreItem(item, answers), item));
  }
  const { forward, inverse } = ratings;
  const hasBoth = forward.length > 0 && inverse.length > 0;
  return {
    ...toWeightedSample(points),
    bothKeys: hasBoth ? { forward: average(forward), inverse: average(inverse) } : null,
  };
}

/** The points as a member of a sample; none if they are null. */
export function listWeightedPoints(points: number | null, { weight }: Item): WeightedPoints[] {
  return points === null ? [] : [{ points, weight }];
}

/** The keyed points of a statement in one life, or ideal minus current ones; null unless it is answered there. */
export function measurePoints(measure: Measure, statement: Statement, answers: Answers): number | null {
  if (measure !== "gap") return scoreItem(statement[measure], answers);
  const [ideal, current] = [scoreItem(statement.ideal, answers), scoreItem(statement.current, answers)];
  return ideal === null || current === null ? null : ideal - current;
}

/** The answers of one session with all inputs of response quality. */
export interface AnswerSums {
  readonly answers: Answers;
  /** Raw ratings of the two blocks in asking order; null if unanswered. */
  readonly blocks: readonly [Answers, Answers];
  /** The ratings given, without unanswered statements. */
  readonly ratings: readonly number[];
  /** In ascending value id. */
  readonly cells: Readonly<Record<LifeContext, readonly CellSums[]>>;
  /** Exact scores 0..1 in ascending value id; null if a value is not scored. */
  readonly scores: Readonly<Record<LifeContext, readonly (number | null)[]>>;
  /** The cells that are scored. */
  readonly scoredCells: Readonly<Record<LifeContext, readonly CellSums[]>>;
}

export interface EvaluatedAnswers extends AnswerSums {
  readonly evaluation: Evaluation;
}

/**
 * Reads the answers of one session.
 * @param answers one entry for each of the model's questions, in its order; null if unanswered
 * @throws RangeError for another number of entries, or for an answer that is not a number within the scale
 */
export function readSession(compiled: CompiledQuality, answers: Answers): EvaluatedAnswers {
  const evaluation = evaluate(compiled.scoring, answers);
  return { ...sumScoredCells(compiled, answers, evaluation.ideal.cells, evaluation.current.cells), evaluation };
}

/** The same without the evaluation of scores, which is most of the work. */
export function readAnswers(compiled: CompiledQuality, answers: Answers): AnswerSums {
  const { ideal, current } = scoreCells(compiled.scoring, answers);
  return sumScoredCells(compiled, answers, ideal, current);
}

function sumScoredCells(
  compiled: CompiledQuality,
  answers: Answers,
  ideal: readonly CellScore[],
  current: readonly CellScore[],
): AnswerSums {
  const readBlock = ({ positions }: Block) => positions.map((position) => at(answers, position));
  const blocks = [readBlock(compiled.blocks[0]), readBlock(compiled.blocks[1])] as const;
  const sumItems = (items: readonly Item[]) => sumCell(items, answers);
  const cells = { ideal: compiled.cells.ideal.map(sumItems), current: compiled.cells.current.map(sumItems) };
  const scores = { ideal: toScores(ideal), current: toScores(current) };
  const scoredIn = (life: LifeContext) => cells[life].filter((_, index) => scores[life][index] !== null);
  const scoredCells = { ideal: scoredIn("ideal"), current: scoredIn("current") };
  const ratings = blocks.flat().filter((rating) => rating !== null);
  return { answers, blocks, ratings, cells, scores, scoredCells };
}
