// Parts of the computation in situations that whole sessions hardly reach.
import { describe, expect, test } from "vitest";
import { rankScores } from "../../../src/products/values-bridge/scoring/cells.ts";
import { createRounder } from "../../../src/products/values-bridge/scoring/exact.ts";
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";
import {
  computePairingTotal,
  orderPairings,
  prioritise,
  scorePairings,
} from "../../../src/products/values-bridge/scoring/totals.ts";
import { modelConstants, questionnaire, toScoringModel } from "../../support/values-bridge/scoring-model.ts";
import { keyedSession } from "../../support/values-bridge/sessions.ts";

const round2 = createRounder(2);

/** Places of scores on a circle in the order given. */
function placesOf(...scores: (number | null)[]): (number | null)[] {
  const last = scores.length - 1;
  const neighbours = scores.map((_, i) => [i === 0 ? last : i - 1, i === last ? 0 : i + 1] as const);
  return rankScores(scores, neighbours, modelConstants.tiers, modelConstants.unranked).map((rank) => rank.displayRank);
}

test("mathematically equal neighbour means have equal ranks, although doubles differ", () => {
  expect((0.1 + 0.7) / 2).toBeLessThan((0.2 + 0.6) / 2);
  expect(placesOf(0.1, 0.5, 0.7, 0.2, 0.5, 0.6)).toEqual([6, 3, 1, 5, 4, 2]);
});

describe("pairings", () => {
  const pairing = { id: 102, values: [1, 2], indices: [0, 1], kind: "harmony", kappa: 0.9 } as const;
  const others = [
    { id: 203, values: [2, 3], indices: [1, 2], kind: "harmony", kappa: 0.5 },
    { id: 103, values: [1, 3], indices: [0, 2], kind: "conflict", kappa: 0.8 },
  ] as const;

  test("the total of pairings is 0 if no priority is left at all", () => {
    const scored = scorePairings([pairing, ...others], [0, 0, 0], round2);
    expect(computePairingTotal(scored, "harmony", round2)).toMatchObject({ pairings: 2, total: 0, reported: 0 });
  });

  test("the total of pairings is at most 100, although doubles go beyond", () => {
    expect((100 * (0.9 * 0.025)) / (0.9 * 0.025)).toBeGreaterThan(100);
    const scored = scorePairings([pairing], [0.025, 0.025], round2);
    expect(computePairingTotal(scored, "harmony", round2).total).toBe(100);
  });

  test("mathematically equal priorities order pairings as equal, although doubles differ", () => {
    expect(0.1 + 0.2).toBeGreaterThan(0.3);
    const scored = scorePairings([others[0], pairing], [0.3, 0.9, 0.1 + 0.2], round2);
    expect(orderPairings(scored).map((score) => score.valuePairingId)).toEqual([102, 203]);
  });
});

test("priorities are null without a score at all, even if the model asks for none", () => {
  expect(prioritise([null, null], { ...modelConstants, minBaselineValues: 0 })).toMatchObject({
    baseline: { mean: null },
    byValue: [null, null],
  });
});

test("the neighbours of a value are those of the model's circle, across its ends too", () => {
  const questions = questionnaire().filter((question) => question.valueId <= 4);
  const model = { ...toScoringModel(questions), valueIds: [3, 1, 4, 2], pairings: [] };
  const { answers } = keyedSession(questions, () => 3);
  const { values } = compileScoring(model).explain(answers);
  expect(values.map(({ valueId, neighbours }) => [valueId, ...neighbours])).toEqual([
    [1, 3, 4],
    [2, 4, 3],
    [3, 2, 1],
    [4, 1, 2],
  ]);
});

test("a pairing of a value that the model does not have throws", () => {
  const questions = questionnaire();
  const stray = { id: 120, values: [1, 20], kind: "harmony", kappa: 0.9 } as const;
  const scorer = compileScoring({ ...toScoringModel(questions), pairings: [stray] });
  expect(() => scorer.score(questions.map(() => 4))).toThrow(RangeError);
});
