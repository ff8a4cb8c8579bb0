// Converts an evaluation into an explanation, without further computation.

import type { CompiledModel } from "./compile.ts";
import type { ContextEvaluation, Evaluation } from "./evaluate.ts";
import { at } from "./exact.ts";
import type {
  ArchetypeExplanation,
  ContextExplanation,
  Explanation,
  ItemExplanation,
  PairingExplanation,
  ValueExplanation,
} from "./explanation.ts";
import { type Answers, answerTo, type Cell, keyedAnswer } from "./formulas/cells.ts";

/** Explains an evaluation of these answers. */
export function toExplanation(compiled: CompiledModel, evaluation: Evaluation, answers: Answers): Explanation {
  const { scoredValues, scoreSum, baseline } = evaluation.priorities;
  return {
    constants: compiled.model.constants,
    values: compiled.valueIds.map((_, index) => explainValue(compiled, evaluation, answers, index)),
    totalGap: evaluation.totalGap,
    baseline: { scoredValues, scoreSum, mean: baseline },
    pairings: evaluation.pairings.map(({ pairing: { id, values, kind, kappa }, min, mean, reported }) => {
      return { valuePairingId: id, values, kind, kappa, min, mean, reported } satisfies PairingExplanation;
    }),
    harmony: evaluation.harmony,
    conflict: evaluation.conflict,
    archetype: explainArchetype(evaluation),
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
    priority: at(priorities.byValue, index),
  };
}

function explainContext(cell: Cell, context: ContextEvaluation, answers: Answers, index: number): ContextExplanation {
  const { countedItems, countedWeight } = cell;
  const items = cell.items.map((item): ItemExplanation => {
    const { questionId, inverse, weight, min, max } = item;
    const answer = answerTo(item, answers);
    return { questionId, inverse, weight, min, max, answer, keyed: answer === null ? null : keyedAnswer(item, answer) };
  });
  return { items, countedItems, countedWeight, ...at(context.cells, index), ...at(context.ranks, index) };
}

function explainArchetype({ archetype }: Evaluation): ArchetypeExplanation {
  const { archetypeId, rule, focus, unresolved } = archetype;
  return {
    archetypeId,
    gapBand: rule === null ? null : { from: rule.gapFrom, below: rule.gapBelow },
    focus,
    direction: rule?.direction ?? null,
    unresolved,
  };
}
