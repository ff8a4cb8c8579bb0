// Scores and ranks of each value in each life, from answers.

import { at, roundForOrder } from "./exact.ts";
import type { LifeContext, ScoringConstants, ScoringModel, Tier } from "./model.ts";

/** A question as scoring counts it. */
export interface Item {
  readonly questionId: number;
  /** Index of the question, and of its answer. */
  readonly position: number;
  readonly inverse: boolean;
  /** The omega weight in units of 1/weightScale: an integer, so that sums are exact. 0: not counted. */
  readonly weight: number;
  readonly min: number;
  readonly max: number;
}

export interface Cell {
  /** In ascending question id. */
  readonly items: readonly Item[];
  /** Number and total weight of the items with a weight above 0. */
  readonly countedItems: number;
  readonly countedWeight: number;
}

/** Why a value has no score in a context: answers are too few, or weigh too little. */
export type UnscoredReason = "too_few_items" | "too_little_weight";

export interface CellScore {
  /** Number and total weight of the answered items that count. */
  readonly answeredItems: number;
  readonly answeredWeight: number;
  /** Sums over those items of weight times keyed answer, and of weight times rating span. */
  readonly numerator: number;
  readonly denominator: number;
  /** Their quotient, 0..1: how much the person agrees with the value. Null: not scored. */
  readonly score: number | null;
  readonly unscored: UnscoredReason | null;
}

/** Answers in the order of the model's questions; null if a question is unanswered. */
export type Answers = readonly (number | null)[];

/** The questions about one value in one context. */
export function compileCell(model: ScoringModel, valueId: number, lifeContext: LifeContext): Cell {
  const items: Item[] = [];
  model.questions.forEach((question, position) => {
    if (question.valueId !== valueId || question.lifeContext !== lifeContext) return;
    const weight = Math.floor(model.constants.weightScale * question.omegaWeight + 0.5);
    const { id: questionId, inverse, min, max } = question;
    items.push({ questionId, position, inverse, weight, min, max });
  });
  items.sort((a, b) => a.questionId - b.questionId);
  return {
    items,
    countedItems: items.filter((item) => item.weight > 0).length,
    countedWeight: items.reduce((sum, item) => sum + item.weight, 0),
  };
}

/**
 * The answer to an item, or null if there is none.
 * @throws RangeError for an answer that is not a number from the item's `min` to its `max`.
 */
export function readAnswer(item: Item, answers: Answers): number | null {
  const answer = answers[item.position];
  if (answer === null) return null;
  if (typeof answer !== "number" || !(answer >= item.min && answer <= item.max)) {
    throw new RangeError(`the answer to question ${item.questionId} is not a number from ${item.min} to ${item.max}`);
  }
  return answer + 0; // turns -0 into 0
}

/** The answer in the direction of the value: 0 (against it) to `max - min`. */
export function keyAnswer(item: Item, answer: number): number {
  return item.inverse ? item.max - answer : answer - item.min;
}

/** The answer to an item in the direction of the value; null if there is none. Throws as `readAnswer`. */
export function scoreItem(item: Item, answers: Answers): number | null {
  const answer = readAnswer(item, answers);
  return answer === null ? null : keyAnswer(item, answer);
}

/**
 * Scores a cell. Numerator and denominator are exact integers if answers are, and division is correctly rounded: scores that are
 * mathematically equal are bit-equal, so they can be compared directly.
 * @throws RangeError for an answer out of range, also of an item with a weight of 0.
 */
export function scoreCell(cell: Cell, answers: Answers, constants: ScoringConstants): CellScore {
  let answeredItems = 0;
  let answeredWeight = 0;
  let numerator = 0;
  let denominator = 0;
  for (const item of cell.items) {
    const answer = readAnswer(item, answers);
    if (answer === null || item.weight === 0) continue;
    answeredItems += 1;
    answeredWeight += item.weight;
    numerator += item.weight * keyAnswer(item, answer);
    denominator += item.weight * (item.max - item.min);
  }
  const reason = findUnscoredReason(cell, answeredItems, answeredWeight, constants);
  const score = reason === null ? numerator / denominator : null;
  return { answeredItems, answeredWeight, numerator, denominator, score, unscored: reason };
}

function findUnscoredReason(
  cell: Cell,
  answeredItems: number,
  answeredWeight: number,
  { minItems, minCoverage }: ScoringConstants,
): UnscoredReason | null {
  if (answeredItems === 0 || answeredItems < Math.min(minItems, cell.countedItems)) return "too_few_items";
  if (answeredWeight < minCoverage * cell.countedWeight) return "too_little_weight";
  return null;
}

/** Indices of the two values beside each value on the circle. */
export type Neighbours = readonly (readonly [number, number])[];

/** A value's place in one context; the numbers are null for a value without a score there. */
export interface Rank {
  /** 1 is the strongest value; no two values share one. */
  readonly displayRank: number | null;
  /** 1 + number of values with a higher score: equal scores share it, and it decides the tier. */
  readonly sharedRank: number | null;
  readonly tier: string;
  /** Mean score of the scored neighbours at nine decimals, which breaks ties. Null, which loses ties: none is scored. */
  readonly neighbourMean: number | null;
}

/**
 * Ranks the values of one context by score, then mean of the neighbours, then id. Neighbours on the circle correlate: of two
 * equal scores, the one with higher neighbours is more likely to be truly higher.
 * @param scores in ascending value id, null if a value is not scored
 */
export function rankScores(
  scores: readonly (number | null)[],
  neighbours: Neighbours,
  tiers: readonly Tier[],
  unrankedTier: string,
): readonly Rank[] {
  const means = scores.map((_, index) => computeNeighbourMean(scores, at(neighbours, index)));
  const scoredCount = scores.filter((score) => score !== null).length;
  return scores.map((score, index) => {
    if (score === null) return { displayRank: null, sharedRank: null, tier: unrankedTier, neighbourMean: null };
    const tieBreak = means[index] ?? -1;
    let higher = 0;
    let tiedBefore = 0;
    for (const [other, rival] of scores.entries()) {
      if (rival === null) continue;
      if (rival > score) higher += 1;
      else if (rival === score) {
        const difference = (means[other] ?? -1) - tieBreak;
        if (difference > 0 || (difference === 0 && other < index)) tiedBefore += 1;
      }
    }
    const sharedRank = 1 + higher;
    return {
      displayRank: sharedRank + tiedBefore,
      sharedRank,
      tier: findTier(sharedRank, scoredCount, tiers, unrankedTier),
      neighbourMean: at(means, index),
    };
  });
}

function computeNeighbourMean(
  scores: readonly (number | null)[],
  [left, right]: readonly [number, number],
): number | null {
  const a = at(scores, left);
  const b = at(scores, right);
  if (a === null) return b === null ? null : roundForOrder(b);
  return roundForOrder(b === null ? a : (a + b) / 2);
}

function findTier(sharedRank: number, scoredCount: number, tiers: readonly Tier[], unrankedTier: string): string {
  for (const { name, share } of tiers) {
    if (sharedRank <= Math.ceil((share[0] * scoredCount) / share[1])) return name;
  }
  return unrankedTier;
}
