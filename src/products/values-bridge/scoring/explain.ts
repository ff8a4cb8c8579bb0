// The explanation of results, by which every reported number can be recomputed by hand.

import { type Answers, type Cell, type CellScore, type Item, keyAnswer, type Rank, readAnswer } from "./cells.ts";
import type { CompiledModel, ContextEvaluation, Evaluation } from "./evaluate.ts";
import { at } from "./exact.ts";
import type { ArchetypeRule, Pairing, ScoringConstants, ValueMeasures } from "./model.ts";
import type { ArchetypeChoice, Gap, PairScore, Priorities } from "./totals.ts";

/** How results are computed. Numbers are unrounded, except `reported` ones. Null: no score. */
export interface Explanation extends Pick<Evaluation, "totalGap" | "harmony" | "conflict"> {
  /** Name and version of the scoring model, and its constants. */
  readonly constants: ScoringConstants;
  /** In ascending value id. */
  readonly values: readonly ValueExplanation[];
  /** The person's own average; `mean` is null with fewer than minBaselineValues scored values. */
  readonly baseline: Pick<Priorities, "scoredValues" | "scoreSum"> & { readonly mean: number | null };
  /** In the order of the results. */
  readonly pairings: readonly PairingExplanation[];
  readonly archetype: ArchetypeExplanation;
}

/** One value in both life contexts. There is no gap unless both are scored. */
export interface ValueExplanation extends ValueMeasures<ContextExplanation, Gap | null> {
  /** The values beside it on the circle, whose scores break ties. */
  readonly neighbours: readonly [number, number];
  /** `0.5 + priorityGain * (ideal score - baseline mean)`, within 0..1. */
  readonly priority: number | null;
}

/** One value in one life context: its statements, score and rank. */
export interface ContextExplanation extends Omit<Cell, "items">, CellScore, Rank {
  /** In ascending question id. */
  readonly items: readonly ItemExplanation[];
}

export interface ItemExplanation extends Omit<Item, "position"> {
  /** The rating as given; null if unanswered. */
  readonly answer: number | null;
  /** The rating counted in the direction of the value: `answer - min`, or `max - answer` if inverse. */
  readonly keyed: number | null;
}

export interface PairingExplanation extends Omit<Pairing, "id">, Pick<PairScore, "min" | "mean" | "reported"> {
  readonly valuePairingId: number;
}

export interface ArchetypeExplanation extends Omit<ArchetypeChoice, "rule"> {
  /** The band of the reported total gap: at least `from`, less than `below` (null: no upper end). Null if unresolved. */
  readonly gapBand: { readonly from: number; readonly below: number | null } | null;
  /** `focused` from a focus of focusThreshold on. Null if unresolved. */
  readonly direction: ArchetypeRule["direction"] | null;
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
  const items = cell.items.map((item): ItemExplanation => {
    const { position: _, ...itemFields } = item;
    const answer = readAnswer(item, answers);
    return { ...itemFields, answer, keyed: answer === null ? null : keyAnswer(item, answer) };
  });
  return { ...cell, items, ...at(context.cells, index), ...at(context.ranks, index) };
}

function explainArchetype({ archetype }: Evaluation): ArchetypeExplanation {
  const { archetypeId, rule, focus, unresolved } = archetype;
  const gapBand = rule && { from: rule.gapFrom, below: rule.gapBelow };
  return { archetypeId, gapBand, focus, direction: rule?.direction ?? null, unresolved };
}
