// The one computation behind results and explanation: from answers to every unrounded number, in the order of the formulas.
import { type ArchetypeChoice, chooseArchetype } from "./archetype.ts";
import { type Answers, type CellScore, scoreCell } from "./cells.ts";
import type { CompiledModel } from "./compile.ts";
import { type Gap, gapBetween, type TotalGap, totalGap } from "./gaps.ts";
import { at } from "./lists.ts";
import type { LifeContext } from "./model.ts";
import { orderPairings, type PairingTotal, type PairScore, scorePairings, totalOfKind } from "./pairings.ts";
import { type Priorities, prioritise } from "./priorities.ts";
import { type Rank, rankScores } from "./ranks.ts";

/** Scores and ranks of one life context, in ascending value id. */
export interface ContextEvaluation {
  readonly cells: readonly CellScore[];
  readonly ranks: readonly Rank[];
}

/** Every number on the way from answers to results; lists of values are in ascending value id. */
export interface Evaluation {
  readonly ideal: ContextEvaluation;
  readonly current: ContextEvaluation;
  readonly gaps: readonly (Gap | null)[];
  readonly totalGap: TotalGap | null;
  readonly priorities: Priorities;
  /** In the order of the results. */
  readonly pairings: readonly PairScore[];
  readonly harmony: PairingTotal;
  readonly conflict: PairingTotal;
  readonly archetype: ArchetypeChoice;
}

/**
 * Evaluates one person's answers.
 * @throws RangeError for an answer out of range, or if there is not exactly one entry for each question.
 */
export function evaluate(compiled: CompiledModel, answers: Answers): Evaluation {
  const { model, round } = compiled;
  if (answers.length !== model.questions.length) {
    throw new RangeError(`${answers.length} answers to ${model.questions.length} questions`);
  }
  const ideal = evaluateContext(compiled, "ideal", answers);
  const current = evaluateContext(compiled, "current", answers);
  const gaps = ideal.cells.map((cell, index) =>
    gapBetween(cell.score, at(current.cells, index).score, model.constants.importanceFloor, round),
  );
  const total = totalGap(gaps, round);
  const priorities = prioritise(scoresOf(ideal.cells), model.constants);
  const scored = scorePairings(compiled.pairings, priorities.byValue, round);
  const harmony = totalOfKind(scored, "harmony", round);
  const conflict = totalOfKind(scored, "conflict", round);
  return {
    ideal,
    current,
    gaps,
    totalGap: total,
    priorities,
    pairings: orderPairings(scored),
    harmony,
    conflict,
    archetype: chooseArchetype(
      model,
      {
        gap: total?.reported ?? null,
        harmony: harmony.reported,
        conflict: conflict.reported,
        valuesWithGap: total?.values ?? 0,
      },
      round,
    ),
  };
}

function evaluateContext(compiled: CompiledModel, context: LifeContext, answers: Answers): ContextEvaluation {
  const { constants } = compiled.model;
  const cells = compiled.cells[context].map((cell) => scoreCell(cell, answers, constants));
  return { cells, ranks: rankScores(scoresOf(cells), compiled.neighbours, constants.tiers, constants.unranked) };
}

function scoresOf(cells: readonly CellScore[]): readonly (number | null)[] {
  return cells.map((cell) => cell.score);
}
