// An explanation: with it alone, every reported number can be recomputed by hand.

import { type Answers, answerTo, type Cell, type CellScore, keyedAnswer, type Rank } from "./cells.ts";
import type { CompiledModel, ContextEvaluation, Evaluation } from "./evaluate.ts";
import { at } from "./exact.ts";
import type { PairingKind, ScoringConstants } from "./model.ts";
import type { Gap, PairingTotal, TotalGap, UnresolvedReason } from "./totals.ts";

/** How results came about. Numbers are unrounded, except those called `reported`. Null: no score. */
export interface Explanation {
  /** Name and version of the scoring model, and its constants. */
  readonly constants: ScoringConstants;
  /** In ascending value id. */
  readonly values: readonly ValueExplanation[];
  readonly totalGap: TotalGap | null;
  readonly baseline: BaselineExplanation;
  /** In the order of the results. */
  readonly pairings: readonly PairingExplanation[];
  readonly harmony: PairingTotal;
  readonly conflict: PairingTotal;
  readonly archetype: ArchetypeExplanation;
}

/** One value: how it stands in both life contexts, and what follows from the two. */
export interface ValueExplanation {
  readonly valueId: number;
  /** The values beside it on the circle, whose scores break its ties. */
  readonly neighbours: readonly [number, number];
  readonly ideal: ContextExplanation;
  readonly current: ContextExplanation;
  /** Null unless both contexts are scored. */
  readonly gap: Gap | null;
  /** `0.5 + priorityGain * (ideal score - baseline mean)`, held to 0..1. */
  readonly priority: number | null;
}

/** One value in one life context: its statements, score and rank. */
export interface ContextExplanation extends CellScore, Rank {
  /** In ascending question id. */
  readonly items: readonly ItemExplanation[];
  /** Number and total weight of the items with a weight above 0, which are those that count. */
  readonly countedItems: number;
  readonly countedWeight: number;
}

export interface ItemExplanation {
  readonly questionId: number;
  readonly inverse: boolean;
  /** The omega weight times weightScale, rounded to an integer. */
  readonly weight: number;
  /** Lowest and highest rating; the span is their difference. */
  readonly min: number;
  readonly max: number;
  /** The rating as given; null if unanswered. */
  readonly answer: number | null;
  /** The rating counted in the direction of the value: `answer - min`, or `max - answer` if inverse. */
  readonly keyed: number | null;
}

/** The person's own average, from which priorities are counted. */
export interface BaselineExplanation {
  /** Number of values scored in the ideal context, and the sum of their scores. */
  readonly scoredValues: number;
  readonly scoreSum: number;
  /** Null with fewer than minBaselineValues scored values. */
  readonly mean: number | null;
}

export interface PairingExplanation {
  readonly valuePairingId: number;
  readonly values: readonly [number, number];
  readonly kind: PairingKind;
  readonly kappa: number;
  /** The weaker of the two priorities, and their mean. */
  readonly min: number | null;
  readonly mean: number | null;
  /** 100 times the weaker one, rounded. */
  readonly reported: number | null;
}

export interface ArchetypeExplanation {
  readonly archetypeId: number;
  /** The band that holds the reported total gap: at least `from`, less than `below` (null: no upper end). Null if unresolved. */
  readonly gapBand: { readonly from: number; readonly below: number | null } | null;
  /** Reported harmony minus reported conflict. */
  readonly focus: number | null;
  /** `focused` from a focus of focusThreshold on. Null if unresolved. */
  readonly direction: "focused" | "plural" | null;
  /** Why no archetype was chosen; null if one was. */
  readonly unresolved: UnresolvedReason | null;
}

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
