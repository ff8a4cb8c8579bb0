// Which answers suffice for a score, a personal average and an archetype.
import { describe, expect, test } from "vitest";
import type { ScoringQuestion } from "../../../src/products/values-bridge/scoring/model.ts";
import { modelPairings, questionnaire } from "../../support/values-bridge/scoring-model.ts";
import { explanationOf, isIn, keyedSession, lives, scoreOf } from "../../support/values-bridge/sessions.ts";

describe("the rule for missing answers", () => {
  /** Value 1 has ideal items of the given weights and answers; everything else is answered in full. */
  function valueOne(weights: readonly number[], answered: readonly boolean[]) {
    const rest = questionnaire().filter((question) => !isIn(question, 1, "ideal"));
    const items = weights.map(
      (omegaWeight, i): ScoringQuestion => ({
        ...{ id: 500 + i, valueId: 1, lifeContext: "ideal", inverse: false, omegaWeight, min: 1, max: 7 },
      }),
    );
    const session = keyedSession([...items, ...rest], (q) => (q.id >= 500 && answered[q.id - 500] !== true ? null : 6));
    const { score, unscored } = explanationOf(session).values[0]?.ideal ?? {};
    return { score, unscored };
  }

  test("scores two answers that carry exactly half the weight", () => {
    expect(valueOne([1, 1, 1, 1], [true, true, false, false])).toEqual({ score: 1, unscored: null });
    expect(valueOne([0.5, 0.5, 0.25, 0.75], [true, true, false, false])).toEqual({ score: 1, unscored: null });
  });

  test("does not score two answers that carry a thousandth less than half", () => {
    expect(valueOne([0.5, 0.499, 0.25, 0.751], [true, true, false, false])).toEqual({
      score: null,
      unscored: "too_little_weight",
    });
  });

  test("does not score a single answer, however much it weighs", () => {
    expect(valueOne([100, 1, 1, 1], [true, false, false, false])).toEqual({ score: null, unscored: "too_few_items" });
  });

  test("scores a single answer where only one item counts", () => {
    expect(valueOne([1], [true])).toEqual({ score: 1, unscored: null });
    expect(valueOne([1, 0, 0, 0], [true, false, false, false])).toEqual({ score: 1, unscored: null });
  });

  test("does not score answers to items of weight 0", () => {
    expect(valueOne([1, 0, 0, 0], [false, true, true, true])).toEqual({ score: null, unscored: "too_few_items" });
    expect(valueOne([1, 1, 0, 0], [true, false, true, true])).toEqual({ score: null, unscored: "too_few_items" });
    expect(valueOne([0, 0, 0, 0], [true, true, true, true])).toEqual({ score: null, unscored: "too_few_items" });
  });

  test("weighs in thousandths, rounded half up", () => {
    expect(valueOne([0.0005], [true])).toEqual({ score: 1, unscored: null });
    expect(valueOne([0.00049], [true])).toEqual({ score: null, unscored: "too_few_items" });
  });

  test("does not score a value without an answer", () => {
    expect(valueOne([1, 1, 1, 1], [])).toEqual({ score: null, unscored: "too_few_items" });
  });
});

describe("few scored values", () => {
  const half = (count: number) => (valueId: number) => (valueId <= count ? 3 : null);

  test("leave no personal average below 10 in the ideal context: no pairings, no harmony, no conflict", () => {
    const { overall, pairings } = scoreOf(lives(half(9), () => 3));
    expect(overall).toEqual({
      archetypeId: 9,
      totalAuthenticityGapScaled: 0,
      totalConflictScoreScaled: null,
      totalHarmonyScoreScaled: null,
    });
    expect(pairings.filter((pairing) => pairing.scaledScore !== null)).toEqual([]);
  });

  test("are enough from 10 on, for pairings of scored values and for an archetype", () => {
    const { overall, pairings } = scoreOf(lives(half(10), () => 3));
    expect(overall).toEqual({
      archetypeId: 2,
      totalAuthenticityGapScaled: 0,
      totalConflictScoreScaled: 100,
      totalHarmonyScoreScaled: 100,
    });
    const scored = pairings.filter((pairing) => pairing.scaledScore !== null);
    expect(scored.map((pairing) => pairing.valuePairingId)).toEqual(
      modelPairings.filter(({ values }) => Math.max(...values) <= 10).map(({ id }) => id),
    );
  });

  test("leave the archetype unresolved with 9 gaps, although all totals are there", () => {
    expect(scoreOf(lives(() => 3, half(9))).overall).toEqual({
      archetypeId: 9,
      totalAuthenticityGapScaled: 0,
      totalConflictScoreScaled: 100,
      totalHarmonyScoreScaled: 100,
    });
    expect(scoreOf(lives(() => 3, half(10))).overall.archetypeId).toBe(2);
  });
});
