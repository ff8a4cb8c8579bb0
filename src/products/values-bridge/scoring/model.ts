// The rules of scoring of one assessment version, as plain data (see docs/results.md for the formulas).

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

export type PairingKind = "harmony" | "conflict";

/** Two values whose joint priority is reported, because they are neighbours or opposites on the circle. */
export interface Pairing {
  readonly id: number;
  readonly values: readonly [number, number];
  readonly kind: PairingKind;
  /** Weight of the pairing in the totals, above 0 and at most 1. */
  readonly kappa: number;
}

/** A tier of ranks: a value belongs to the first whose share of the scored values includes its shared rank. */
export interface Tier {
  readonly name: string;
  /** Numerator and denominator, kept apart so that `ceil(share * n)` is exact. */
  readonly share: readonly [number, number];
}

/** The archetype of a total gap in `[gapFrom, gapBelow)` and of a direction. */
export interface ArchetypeRule {
  readonly id: number;
  readonly name: string;
  readonly gapFrom: number;
  /** Null: no upper end. */
  readonly gapBelow: number | null;
  /** `focused`: rounded harmony minus rounded conflict is at least `focusThreshold`; `plural`: it is below. */
  readonly direction: "focused" | "plural";
}

/** The constants of the scoring model. */
export interface ScoringConstants {
  readonly model: string;
  readonly version: number;
  /** Weights are multiplied by this and rounded to integers, so that sums are exact. */
  readonly weightScale: number;
  /** Least answered statements of a scored value in a context. */
  readonly minItems: number;
  /** Least share of the weight there that they have. */
  readonly minCoverage: number;
  /** Least values scored in the ideal context for a personal average, pairings and their totals. */
  readonly minBaselineValues: number;
  /** Least values with a gap for an archetype. */
  readonly minGapValues: number;
  readonly importanceFloor: number;
  readonly priorityGain: number;
  /** Decimals of every reported number. */
  readonly decimals: number;
  readonly tiers: readonly Tier[];
  /** Tier name of a value without a score. */
  readonly unranked: string;
  readonly focusThreshold: number;
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
