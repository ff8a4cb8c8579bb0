// Answers that come to scores of one's choice, for pictures and tests.
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import { arrangeQuestions } from "../../src/products/values-bridge/definition/questions.ts";

/** Keyed points of a value's statements in each life, in sum; null: unanswered. */
export type Points = readonly [ideal: number | null, current: number | null];

/**
 * Answers, in the order of the questions, by which values have these points: each statement as near to the mean of its
 * value as whole ratings allow.
 * @param points by value id
 * @param others of the values that `points` leaves out
 */
export function answersWith(
  definition: Definition,
  points: Readonly<Record<number, Points>>,
  others: Points,
): (number | null)[] {
  const itemCounts = new Map<string, number>();
  const itemsOf = new Map(definition.values.map(({ id, items }) => [id, items.length]));
  return arrangeQuestions(definition, 1).map(({ valuesBridgeConfig, likertConfig: { min, max } }) => {
    const { valueId, lifeContext, inverse } = valuesBridgeConfig;
    const sum = (points[valueId] ?? others)[lifeContext === "ideal" ? 0 : 1];
    if (sum === null) return null;
    const items = itemsOf.get(valueId) ?? 1;
    const before = itemCounts.get(`${valueId} ${lifeContext}`) ?? 0;
    itemCounts.set(`${valueId} ${lifeContext}`, before + 1);
    const rating = Math.floor(sum / items) + (before < sum % items ? 1 : 0);
    return inverse ? max - rating : min + rating;
  });
}
