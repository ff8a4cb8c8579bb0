// Computes every unrounded number of results and explanations from answers.

import {
  type Answers,
  type Cell,
  type CellScore,
  compileCell,
  type Neighbours,
  type Rank,
  rankScores,
  scoreCell,
} from "./cells.ts";
import { at, createRounder, type Round } from "./exact.ts";
import type { LifeContext, ScoringModel } from "./model.ts";
import type { Explanation, Gap } from "./shapes.ts";
import {
  chooseArchetype,
  computeGap,
  computePairingTotal,
  computeTotalGap,
  type IndexedPairing,
  orderPairings,
  prioritise,
  scorePairings,
} from "./totals.ts";

/** A model prepared for scoring. Lists of values are in ascending value id, the order of sums. */
export interface CompiledModel {
  readonly model: ScoringModel;
  readonly valueIds: readonly number[];
  readonly cells: Readonly<Record<LifeContext, readonly Cell[]>>;
  readonly neighbours: Neighbours;
  /** In catalogue order. */
  readonly pairings: readonly IndexedPairing[];
  readonly round: Round;
}

/** Prepares a checked model: unique ids, pairings of known values, archetypes without gap or overlap. */
export function compileModel(model: ScoringModel): CompiledModel {
  const valueIds = model.valueIds.toSorted((a, b) => a - b);
  const findIndexAt = (place: number): number => valueIds.indexOf(at(model.valueIds, place % valueIds.length));
  const compileCells = (context: LifeContext): Cell[] =>
    valueIds.map((valueId) => compileCell(model, valueId, context));
  return {
    model,
    valueIds,
    cells: { ideal: compileCells("ideal"), current: compileCells("current") },
    neighbours: valueIds.map((valueId) => {
      const place = model.valueIds.indexOf(valueId);
      return [findIndexAt(place + model.valueIds.length - 1), findIndexAt(place + 1)] as const;
    }),
    pairings: model.pairings.map((pairing) => {
      const [a, b] = pairing.values;
      return { ...pairing, indices: [valueIds.indexOf(a), valueIds.indexOf(b)] };
    }),
    round: createRounder(model.constants.decimals),
  };
}

/** Scores and ranks of one life context, in ascending value id. */
export interface ContextEvaluation {
  readonly cells: readonly CellScore[];
  readonly ranks: readonly Rank[];
}

/** Numbers that follow from scores, except ranks. Lists of values are in ascending value id, pairings in catalogue order. */
export interface ScoreEvaluation
  extends Pick<Explanation, "totalGap" | "baseline" | "pairings" | "harmony" | "conflict" | "archetype"> {
  readonly gaps: readonly (Gap | null)[];
  readonly priorities: readonly (number | null)[];
}

/** All numbers between answers and results. Pairings are in the order of the results. */
export interface Evaluation extends ScoreEvaluation {
  readonly ideal: ContextEvaluation;
  readonly current: ContextEvaluation;
}

/**
 * Evaluates one person's answers.
 * @throws RangeError for an answer out of range, or if there is not exactly one entry for each question.
 */
export function evaluate(compiled: CompiledModel, answers: Answers): Evaluation {
  const cells = scoreCells(compiled, answers);
  const ideal = rankContext(compiled, cells.ideal);
  const current = rankContext(compiled, cells.current);
  const evaluation = evaluateScores(compiled, toScores(cells.ideal), toScores(cells.current));
  return { ...evaluation, ideal, current, pairings: orderPairings(evaluation.pairings) };
}

/** Only the scores of both lives, in ascending value id. Throws as `evaluate`. */
export function scoreCells(
  { model, cells }: CompiledModel,
  answers: Answers,
): Readonly<Record<LifeContext, readonly CellScore[]>> {
  if (answers.length !== model.questions.length) {
    throw new RangeError(`${answers.length} answers to ${model.questions.length} questions`);
  }
  const scoreAll = (context: LifeContext) => cells[context].map((cell) => scoreCell(cell, answers, model.constants));
  return { ideal: scoreAll("ideal"), current: scoreAll("current") };
}

/** Evaluates the scores of both lives, in ascending value id; null if a value is not scored. */
export function evaluateScores(
  compiled: CompiledModel,
  ideal: readonly (number | null)[],
  current: readonly (number | null)[],
): ScoreEvaluation {
  const { model, round } = compiled;
  const gaps = ideal.map((score, index) =>
    computeGap(score, at(current, index), model.constants.importanceFloor, round),
  );
  const totalGap = computeTotalGap(gaps, round);
  const { baseline, byValue: priorities } = prioritise(ideal, model.constants);
  const pairings = scorePairings(compiled.pairings, priorities, round);
  const harmony = computePairingTotal(pairings, "harmony", round);
  const conflict = computePairingTotal(pairings, "conflict", round);
  const archetype = chooseArchetype(model, totalGap, harmony.reported, conflict.reported, round);
  return { gaps, totalGap, baseline, priorities, pairings, harmony, conflict, archetype };
}

function rankContext({ model, neighbours }: CompiledModel, cells: readonly CellScore[]): ContextEvaluation {
  const { tiers, unranked } = model.constants;
  return { cells, ranks: rankScores(toScores(cells), neighbours, tiers, unranked) };
}

/** The scores of cells; null if a value is not scored. */
export function toScores(cells: readonly CellScore[]): readonly (number | null)[] {
  return cells.map((cell) => cell.score);
}
