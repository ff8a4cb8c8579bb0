// The rules of scoring of one assessment version, as plain data (see docs/results.md for the formulas).
import type { Direction, PairingKind, ScoringConstants } from "./shapes.ts";

/** The life that a person wants, and the one that they have. */
export type LifeContext = "ideal" | "current";

/** The measures of a value: its score in each life, and the gap between the two. */
export type Measure = LifeContext | "gap";

/** A number, or more, for each measure of one value. */
export interface ValueMeasures<Score, Gap = Score> {
  readonly valueId: number;
  readonly ideal: Score;
  readonly current: Score;
  readonly gap: Gap;
}

/** The measures of one value. @param compute one of them */
export function mapMeasures<T>(valueId: number, compute: (measure: Measure) => T): ValueMeasures<T> {
  return { valueId, ideal: compute("ideal"), current: compute("current"), gap: compute("gap") };
}

/** One question for scoring. */
export interface ScoringQuestion {
  /** Unique over all assessment versions. Sums run in ascending id. */
  readonly id: number;
  readonly valueId: number;
  readonly lifeContext: LifeContext;
  /** True where agreement speaks against the value. */
  readonly inverse: boolean;
  /** Weight of the statement within its value and context, 0..100 with at most 3 decimals. */
  readonly omegaWeight: number;
  /** Lowest and highest rating, `min < max`. */
  readonly min: number;
  readonly max: number;
}

/** Two values whose joint priority is reported, because they are neighbours or opposites on the circle. */
export interface Pairing {
  readonly id: number;
  readonly values: readonly [number, number];
  readonly kind: PairingKind;
  /** Weight of the pairing in the totals, above 0 and at most 1. */
  readonly kappa: number;
}

/** The archetype of a total gap in `[gapFrom, gapBelow)` and of a direction. */
export interface ArchetypeRule {
  readonly id: number;
  readonly name: string;
  readonly gapFrom: number;
  /** Null: no upper end. */
  readonly gapBelow: number | null;
  readonly direction: Direction;
}

/** The scoring model: everything needed to compute results from answers. */
export interface ScoringModel {
  readonly questions: readonly ScoringQuestion[];
  /** Value ids in circular order: the first and the last are neighbours. */
  readonly valueIds: readonly number[];
  readonly pairings: readonly Pairing[];
  readonly archetypes: readonly ArchetypeRule[];
  readonly unresolvedArchetypeId: number;
  readonly constants: ScoringConstants;
}
