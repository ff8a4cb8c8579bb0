// Shape of an explanation: with it alone, every reported number can be recomputed by hand.
import type { UnresolvedReason } from "./formulas/archetype.ts";
import type { CellScore } from "./formulas/cells.ts";
import type { Gap, TotalGap } from "./formulas/gaps.ts";
import type { PairingTotal } from "./formulas/pairings.ts";
import type { Rank } from "./formulas/ranks.ts";
import type { PairingKind, ScoringConstants } from "./model.ts";

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
