// Shape of the block on the quality and error of results, version 2 (see docs/trust.md).
import type { Measure, OfValue } from "../scoring/model.ts";
import type { TranslationState } from "./model.ts";

/** Quality and error of one session. */
export interface Quality {
  readonly model: "quality-and-error";
  readonly version: 2;
  readonly coverage: Coverage;
  readonly response: ResponseQuality;
  /** Null if the grade is `fail` or `unknown`. */
  readonly error: SessionError | null;
  /** Comparison with other people; null without norms. */
  readonly norms: SessionNorms | null;
}

/** Whose people norms are of: a partner's own, or those of all partners. */
export type NormScope = "partner" | "pooled";

/** What norms are of. */
export interface NormAbout {
  /** When the norms were computed, or released, in RFC 3339. */
  readonly released: string;
  /** Number of people in them, 30 or more; of all partners, by their weights. */
  readonly n: number;
  /** Whether they are of fewer than 400 people. */
  readonly provisional: boolean;
  /** Language of the statements that they answered, as a BCP 47 tag; `und` if it is not known. */
  readonly language: string;
  /** Of these statements; null in the language that they were written in. */
  readonly translationState: TranslationState | null;
}

/** How a session stands among others. */
export interface SessionNorms extends NormAbout {
  readonly scope: NormScope;
  /** In ascending value id. */
  readonly values: readonly ValueStanding[];
}

/** Null unless all statements concerned are answered. */
export type ValueStanding = OfValue<Standing | null>;

/** One number of a person among those of others; a score is centred: less the mean of the person's scores in that life. */
export interface Standing {
  /** Percentile rank, 1..99. */
  readonly percentile: number;
  /** Half of the width of its 95 % interval, in percentile points. */
  readonly halfWidth: number;
  /** 50 is the mean of the others, 10 their standard deviation; null if they are all equal. */
  readonly tScore: number | null;
  /** Standard error of measurement, in points; null without a reliability. */
  readonly standardError: number | null;
  /** The same of the raw score, which includes how high a person rates everything; null for gaps and pooled norms. */
  readonly raw: { readonly percentile: number; readonly tScore: number | null } | null;
}

/** How many answers and scores there are. */
export interface Coverage {
  /** Number of statements answered and asked, in both lives together. */
  readonly answered: number;
  readonly asked: number;
  /** Number of values with a score in each life, and with a gap. */
  readonly scoredIdeal: number;
  readonly scoredCurrent: number;
  readonly gaps: number;
  /** Number of pairings with a score. */
  readonly pairings: number;
}

/** `unknown`: fewer than half of the statements are answered. */
export type Grade = "good" | "caution" | "fail" | "unknown";

export type FlagLevel = "warn" | "fail";

export interface Flag {
  readonly index: "longestRun" | "spread" | "opposites" | "consistency" | "secondBlock" | "speed";
  readonly level: FlagLevel;
}

/** Indices of response quality. Null: too few answers for the index, or nothing varies. */
export interface ResponseIndices {
  /** Longest run of equal raw ratings within one block; 0 or more. */
  readonly longestRun: number;
  /** Standard deviation of all raw ratings, in scale points. */
  readonly spread: number | null;
  /** Correlation of forward with inverse ratings over cells, -1..1. */
  readonly opposites: number | null;
  /** How much more similar answers are within a value than between values, -1..1. */
  readonly consistency: number | null;
  readonly consistencyIdeal: number | null;
  readonly consistencyCurrent: number | null;
  /** Seconds for each answer after the first call, 0 or more. Also null if arrival times are not known. */
  readonly secondsPerAnswer: number | null;
  /** How readily the person agrees in each life, -0.5..0.5; 0: forward and inverse statements cancel out. */
  readonly agreementIdeal: number | null;
  readonly agreementCurrent: number | null;
  /** How much of every gap the difference of the two could explain, in points of the gap. */
  readonly agreementShift: number | null;
  /** Share of ratings at either end of the scale, and in its middle, 0..1. */
  readonly extremes: number | null;
  readonly midpoint: number | null;
}

export interface ResponseQuality extends ResponseIndices {
  readonly grade: Grade;
  /** In the order of the indices; at most one for each. */
  readonly flags: readonly Flag[];
}

/** A variance of keyed points within values, pooled over values. */
export interface PooledVariance {
  /** Degrees of freedom, 0 or more. */
  readonly df: number;
  /** In squared scale points. Null below 30 degrees of freedom, as is everything computed from it. */
  readonly variance: number | null;
}

/** Variances of the statements in each life, and of their differences. */
export type Variances = Readonly<Record<Measure, PooledVariance>>;

/** The error from the choice of statements alone. */
export interface SessionError {
  readonly basis: "statements";
  readonly variance: Variances;
  /** In ascending value id; null if the value has no score. */
  readonly values: readonly OfValue<ScoreError | null, GapError | null>[];
  /** Null if there is no gap, or no standard error of one. */
  readonly totalGap: TotalGapError | null;
  /** Null unless all values have the same number of statements, 3 or more. */
  readonly stability: Stability | null;
}

/** The score of a value in one life, in points of 0..100. */
export interface ScoreError {
  readonly score: number;
  /** Minus the mean of all scores of that life; null with fewer than 10 of them. */
  readonly centred: number | null;
  readonly standardError: number | null;
  /** 95 %, within 0..100. */
  readonly interval: readonly [number, number] | null;
  /** Best and worst rank that go with the scores and their errors; 1 is the best. */
  readonly rankRange: readonly [number, number] | null;
  /** Ids of the values with exactly the same score, ascending. */
  readonly tiedWith: readonly number[];
}

/** Whether a difference is significant among all values (`joint`), only on its own (`single`), or not at all. */
export type Certainty = "joint" | "single" | "none";

export interface GapError {
  /** The gap as in the results. */
  readonly reported: number;
  readonly standardError: number | null;
  readonly certainty: Certainty | null;
}

export interface TotalGapError {
  /** The total gap as in the results. */
  readonly total: number;
  /** The total to expect if no gap were real, and its standard deviation. */
  readonly noise: number;
  readonly noiseSd: number;
  /** Whether the total is clearly above that noise. */
  readonly aboveNoise: boolean;
}

/** The results of shorter versions of the questionnaire, each without one statement of every value in both lives. */
export interface Stability {
  /** Number of the shorter versions: that of the statements of a value. */
  readonly versions: number;
  /** The archetype of the results. */
  readonly archetypeId: number;
  /** How many of the shorter versions give it too. */
  readonly sameArchetype: number;
  /** Archetypes of the shorter versions, in the order of the statements in the definition. */
  readonly archetypes: readonly number[];
  /** Jackknife standard errors of the totals, and of harmony minus conflict; null if a shorter version lacks one. */
  readonly seTotalGap: number | null;
  readonly seHarmony: number | null;
  readonly seConflict: number | null;
  readonly seFocus: number | null;
}
