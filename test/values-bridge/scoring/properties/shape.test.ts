// What every result looks like, whatever the answers (properties 1 to 5 and 12).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LifeContext } from "../../../../src/products/values-bridge/scoring/model.ts";
import type { Results, ValueResult } from "../../../../src/products/values-bridge/scoring/results.ts";
import {
  lifeContexts,
  modelPairings,
  modelValueIds,
  valueCount,
} from "../../../support/values-bridge/scoring-model.ts";
import { anySession, explanationOf, forAll, patience, scoreOf } from "../../../support/values-bridge/sessions.ts";

const tiers = ["core", "guiding", "situational", "peripheral"];

const rankOf = {
  ideal: (value: ValueResult) => value.idealDisplayRank,
  current: (value: ValueResult) => value.currentDisplayRank,
} satisfies Record<LifeContext, (value: ValueResult) => number | null>;

const tierOf = {
  ideal: (value: ValueResult) => value.idealRankTier,
  current: (value: ValueResult) => value.currentRankTier,
} satisfies Record<LifeContext, (value: ValueResult) => string>;

/** Every number in a structure of plain data. */
function numbersIn(data: unknown): number[] {
  if (typeof data === "number") return [data];
  return typeof data === "object" && data !== null ? Object.values(data).flatMap(numbersIn) : [];
}

function expectWithin(value: number | null, low: number, high: number): void {
  if (value === null) return;
  expect(value).toBeGreaterThanOrEqual(low);
  expect(value).toBeLessThanOrEqual(high);
  expect(value).toBe(Number(value.toFixed(2)));
}

function forAllResults(check: (results: Results) => void): void {
  forAll(anySession, (session) => check(scoreOf(session)));
}

describe("results of any answers", patience, () => {
  test("hold every number within its range, at two decimals (property 1)", () => {
    forAllResults(({ overall, values, pairings }) => {
      expectWithin(overall.totalAuthenticityGapScaled, 0, 100);
      expectWithin(overall.totalConflictScoreScaled, 0, 100);
      expectWithin(overall.totalHarmonyScoreScaled, 0, 100);
      for (const value of values) expectWithin(value.authenticityGapScaled, -100, 100);
      for (const pairing of pairings) expectWithin(pairing.scaledScore, 0, 100);
    });
  });

  test("have no negative zero and no number that JSON cannot carry, nor has their explanation", () => {
    forAll(anySession, (session) => {
      const numbers = numbersIn([scoreOf(session), explanationOf(session)]);
      expect(numbers.filter((number) => !Number.isFinite(number) || Object.is(number, -0))).toEqual([]);
    });
  });

  test("list every value and every pairing once (property 2)", () => {
    forAllResults(({ values, pairings }) => {
      expect(values.map((value) => value.valueId).sort((a, b) => a - b)).toEqual(modelValueIds);
      expect(pairings.map((pairing) => pairing.valuePairingId).sort((a, b) => a - b)).toEqual(
        modelPairings.map((pairing) => pairing.id),
      );
    });
  });

  test("number the ranks 1 to n without a hole, nulls last (property 3)", () => {
    forAllResults(({ values }) => {
      const ideal = values.map(rankOf.ideal);
      const scored = ideal.filter((rank) => rank !== null).length;
      expect(ideal).toEqual(modelValueIds.map((place) => (place <= scored ? place : null)));
      const current = values.map(rankOf.current).filter((rank) => rank !== null);
      expect(current.sort((a, b) => a - b)).toEqual(modelValueIds.slice(0, current.length));
    });
  });

  test("order values without an ideal rank by current rank, then by id", () => {
    forAllResults(({ values }) => {
      const keys = values
        .filter((value) => value.idealDisplayRank === null)
        .map((value) => (value.currentDisplayRank ?? valueCount + 1) * 100 + value.valueId);
      expect(keys).toEqual(keys.toSorted((a, b) => a - b));
    });
  });

  test("order pairings by score, nulls last (property 4)", () => {
    forAllResults(({ pairings }) => {
      const scores = pairings.map((pairing) => pairing.scaledScore ?? -1);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    });
  });

  test("name an archetype of the model, 9 exactly where a total is missing or fewer than 10 values have a gap (property 5)", () => {
    forAllResults(({ overall, values }) => {
      const { archetypeId, ...totals } = overall;
      const gaps = values.filter((value) => value.authenticityGapScaled !== null).length;
      expect([1, 2, 3, 4, 5, 6, 7, 8, 9]).toContain(archetypeId);
      expect(archetypeId === 9).toBe(Object.values(totals).includes(null) || gaps < 10);
    });
  });

  test("give values with equal scores the same tier, and rank 1 is core (property 12)", () => {
    forAll(fc.tuple(anySession, fc.constantFrom(...lifeContexts)), ([session, context]) => {
      const tierOfScore = new Map<number, string>();
      const { values } = scoreOf(session);
      for (const explained of explanationOf(session).values) {
        const { score, tier } = explained[context];
        expect(tier).toBe(values.filter((value) => value.valueId === explained.valueId).map(tierOf[context])[0]);
        if (score === null) continue;
        expect(tierOfScore.get(score) ?? tier).toBe(tier);
        tierOfScore.set(score, tier);
      }
      for (const first of values.filter((value) => rankOf[context](value) === 1)) {
        expect(tierOf[context](first)).toBe("core");
      }
    });
  });

  test("go down in tier with rank, and are unranked exactly without a rank", () => {
    forAll(fc.tuple(anySession, fc.constantFrom(...lifeContexts)), ([session, context]) => {
      const { values } = scoreOf(session);
      const ranked = values
        .filter((value) => rankOf[context](value) !== null)
        .toSorted((a, b) => (rankOf[context](a) ?? 0) - (rankOf[context](b) ?? 0));
      const steps = ranked.map((value) => tiers.indexOf(tierOf[context](value)));
      expect(steps).not.toContain(-1);
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
      for (const value of values) {
        expect(tierOf[context](value) === "unranked").toBe(rankOf[context](value) === null);
      }
    });
  });
});
