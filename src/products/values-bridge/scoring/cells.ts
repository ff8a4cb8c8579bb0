// Scores and ranks of each value in each life, from answers.

import { addUp, at, roundForOrder } from "./exact.ts";
import type { LifeContext, ScoringModel } from "./model.ts";
import type { ContextExplanation, ItemExplanation, ScoringConstants } from "./shapes.ts";

/** A question as scoring counts it, with the index of its answer. */
export interface Item extends Omit<ItemExplanation, "answer" | "keyed"> {
  readonly position: number;
}

export interface Cell extends Pick<ContextExplanation, "countedItems" | "countedWeight"> {
  /** In ascending question id. */
  readonly items: readonly Item[];
}

export type CellScore = Pick<
  ContextExplanation,
  "answeredItems" | "answeredWeight" | "numerator" | "denominator" | "score" | "unscored"
>;

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
    countedWeight: addUp(items.map((item) => item.weight)),
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
): CellScore["unscored"] {
  if (answeredItems === 0 || answeredItems < Math.min(minItems, cell.countedItems)) return "too_few_items";
  if (answeredWeight < minCoverage * cell.countedWeight) return "too_little_weight";
  return null;
}

/** Indices of the two values beside each value on the circle. */
export type Neighbours = readonly (readonly [number, number])[];

/** A value's place in one context. */
export type Rank = Pick<ContextExplanation, "displayRank" | "sharedRank" | "tier" | "neighbourMean">;

/**
 * Ranks the values of one context by score, then mean of the neighbours, then id. Neighbours on the circle correlate: of two
 * equal scores, the one with higher neighbours is more likely to be truly higher.
 * @param scores in ascending value id, null if a value is not scored
 */
export function rankScores(
  scores: readonly (number | null)[],
  neighbours: Neighbours,
  tiers: ScoringConstants["tiers"],
  unrankedTier: string,
): readonly Rank[] {
  const means = scores.map((_, index) => computeNeighbourMean(scores, at(neighbours, index)));
  const scoredCount = scores.filter((score) => score !== null).length;
  return scores.map((score, index) => {
    if (score === null) return { displayRank: null, sharedRank: null, tier: unrankedTier, neighbourMean: null };
    const tieBreak = means[index] ?? -1;
    let higher = 0;
    let tiedBefore = 0;
    scores.forEach((rival, other) => {
      if (rival === null) return;
      if (rival > score) higher += 1;
      else if (rival === score) {
        const difference = (means[other] ?? -1) - tieBreak;
        if (difference > 0 || (difference === 0 && other < index)) tiedBefore += 1;
      }
    });
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

function findTier(
  sharedRank: number,
  scoredCount: number,
  tiers: ScoringConstants["tiers"],
  unrankedTier: string,
): string {
  for (const { name, share } of tiers) {
    if (sharedRank <= Math.ceil((share[0] * scoredCount) / share[1])) return name;
  }
  return unrankedTier;
}
