// Input of quality: the scoring model of one assessment version, and which questions ask the same statement.
import type { ScoringModel } from "../scoring/model.ts";

/** A statement that is asked once in each life. */
export interface StatementPair {
  readonly valueId: number;
  /** The statement without its frame; no other statement of the version has it. */
  readonly predicate: string;
  /** Indices in the model's questions of the two questions that ask it; both have one weight. */
  readonly ideal: number;
  readonly current: number;
}

/** Thresholds of flags, and of answers that count as guesses. */
export interface GradeThresholds {
  /** `consistency` warns below it. */
  readonly consistency: number;
  /** The block asked second warns below it, unless the first block is below it too. */
  readonly secondBlock: number;
  /** `opposites` warns above it. */
  readonly opposites: number;
  /** Answers with a consistency below and opposites above these separate nothing: they fail. */
  readonly guess: { readonly consistency: number; readonly opposites: number };
}

/** Everything needed to assess the quality of answers. */
export interface QualityModel {
  /** With questions in asking order, one block for each life, on one rating scale. */
  readonly scoring: ScoringModel;
  /** Every statement, value after value, in the order of the definition. */
  readonly statements: readonly StatementPair[];
  readonly cuts: GradeThresholds;
}

/** When the answers of one session arrived. */
export interface ArrivalTimes {
  /** Arrival of the first and of the last call that recorded answers. */
  readonly firstAnswerAt: Date;
  readonly lastAnswerAt: Date;
  /** Number of those calls; 0 for answers that were copied from the short form. */
  readonly answerCalls: number;
  /** Number of questions that the first call answered, or that were copied from the short form. */
  readonly firstCallAnswers: number;
}

/**
 * States of a translation, ascending: written by one translator; reconciled from two; tested with people who thought aloud;
 * shown by data to measure the same as the original. Comparisons across languages need the last one.
 */
export const translationStates = ["draft", "reconciled", "tested", "equivalent"] as const;

export type TranslationState = (typeof translationStates)[number];
