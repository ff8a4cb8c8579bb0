// The explanation of results, by which every reported number can be recomputed by hand.

import { type Answers, type Cell, keyAnswer, readAnswer } from "./cells.ts";
import type { CompiledModel, ContextEvaluation, Evaluation } from "./evaluate.ts";
import { at } from "./exact.ts";
import type { ContextExplanation, Explanation, ItemExplanation, ValueExplanation } from "./shapes.ts";

/** Explains an evaluation of these answers. */
export function toExplanation(compiled: CompiledModel, evaluation: Evaluation, answers: Answers): Explanation {
  const { totalGap, baseline, pairings, harmony, conflict, archetype } = evaluation;
  return {
    constants: compiled.model.constants,
    values: compiled.valueIds.map((_, index) => explainValue(compiled, evaluation, answers, index)),
    totalGap,
    baseline,
    pairings,
    harmony,
    conflict,
    archetype,
  };
}

function explainValue(
  { cells, neighbours, valueIds }: CompiledModel,
  { ideal, current, gaps, priorities }: Evaluation,
  answers: Answers,
  index: number,
): ValueExplanation {
  const [left, right] = at(neighbours, index);
  return {
    valueId: at(valueIds, index),
    neighbours: [at(valueIds, left), at(valueIds, right)],
    ideal: explainContext(at(cells.ideal, index), ideal, answers, index),
    current: explainContext(at(cells.current, index), current, answers, index),
    gap: at(gaps, index),
    priority: at(priorities, index),
  };
}

function explainContext(cell: Cell, context: ContextEvaluation, answers: Answers, index: number): ContextExplanation {
  const items = cell.items.map((item): ItemExplanation => {
    const { position: _, ...itemFields } = item;
    const answer = readAnswer(item, answers);
    return { ...itemFields, answer, keyed: answer === null ? null : keyAnswer(item, answer) };
  });
  return { ...cell, items, ...at(context.cells, index), ...at(context.ranks, index) };
}
