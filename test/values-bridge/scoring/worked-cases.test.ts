// Small cases with numbers worked out by hand.
import { describe, expect, test } from "vitest";
import { modelPairings, modelValueIds, questionnaire } from "../../support/values-bridge/scoring-model.ts";
import { keyedSession, lives, pairingIn, scoreOf, valueIn } from "../../support/values-bridge/sessions.ts";

describe("a person who wants and lives everything equally", () => {
  const results = scoreOf(
    lives(
      () => 3,
      () => 3,
    ),
  );

  test("has full harmony, full conflict, no gap, and archetype 2", () => {
    expect(results.overall).toEqual({
      archetypeId: 2,
      totalAuthenticityGapScaled: 0,
      totalConflictScoreScaled: 100,
      totalHarmonyScoreScaled: 100,
    });
  });

  test("has all values core, ranked by id", () => {
    expect(results.values).toEqual(
      modelValueIds.map((valueId) => ({
        valueId,
        idealDisplayRank: valueId,
        idealRankTier: "core",
        currentDisplayRank: valueId,
        currentRankTier: "core",
        authenticityGapScaled: 0,
      })),
    );
  });

  test("has every pairing at its average, 50, ordered by id", () => {
    expect(results.pairings).toEqual(modelPairings.map(({ id }) => ({ valuePairingId: id, scaledScore: 50 })));
  });
});

describe("a person who wants everything and lives nothing", () => {
  test("has gaps of 100 throughout and archetype 8", () => {
    const results = scoreOf(
      lives(
        () => 6,
        () => 0,
      ),
    );
    expect(results.overall).toMatchObject({ archetypeId: 8, totalAuthenticityGapScaled: 100 });
    expect(results.values.map((value) => value.authenticityGapScaled)).toEqual(modelValueIds.map(() => 100));
  });
});

describe("a person who wants nothing and lives everything", () => {
  test("has gaps of -100 throughout, a total of 100, and archetype 8", () => {
    const results = scoreOf(
      lives(
        () => 0,
        () => 6,
      ),
    );
    expect(results.overall).toMatchObject({ archetypeId: 8, totalAuthenticityGapScaled: 100 });
    expect(results.values.map((value) => value.authenticityGapScaled)).toEqual(modelValueIds.map(() => -100));
  });
});

describe("a person without a usable answer", () => {
  const results = scoreOf(
    lives(
      () => null,
      () => null,
    ),
  );

  test("has null totals and archetype 9", () => {
    expect(results.overall).toEqual({
      archetypeId: 9,
      totalAuthenticityGapScaled: null,
      totalConflictScoreScaled: null,
      totalHarmonyScoreScaled: null,
    });
  });

  test("has all values unranked without a gap, and all pairings null, by id", () => {
    expect(results.values).toEqual(
      modelValueIds.map((valueId) => ({
        valueId,
        idealDisplayRank: null,
        idealRankTier: "unranked",
        currentDisplayRank: null,
        currentRankTier: "unranked",
        authenticityGapScaled: null,
      })),
    );
    expect(results.pairings).toEqual(modelPairings.map(({ id }) => ({ valuePairingId: id, scaledScore: null })));
  });
});

describe("a person who wants one value fully, the others half, and lives all half", () => {
  const results = scoreOf(
    lives(
      (valueId) => (valueId === 5 ? 6 : 3),
      () => 3,
    ),
  );

  test("has a gap of 50 there, which counts 1.5 of 19.5: 75 / 19.5 = 3.85", () => {
    expect(valueIn(results, 5)).toMatchObject({ idealDisplayRank: 1, authenticityGapScaled: 50 });
    expect(results.overall.totalAuthenticityGapScaled).toBe(3.85);
  });

  test("has every pairing at 100 * (0.5 + 1.5 * (1/2 - 10/19)) = 46.05, those of the wanted value first", () => {
    expect(new Set(results.pairings.map((pairing) => pairing.scaledScore))).toEqual(new Set([46.05]));
    const first = results.pairings.slice(0, 8).map((pairing) => pairing.valuePairingId);
    expect(first).toEqual([305, 405, 506, 507, 513, 514, 515, 516]);
  });

  test("has its neighbours before the other values, by id where both neighbours are alike", () => {
    expect(results.values.map((value) => value.valueId)).toEqual([
      5, 4, 6, 1, 2, 3, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
    ]);
  });

  test("has that value alone in its tie, and the others share rank 2 and its tier", () => {
    expect(new Set(results.values.map((value) => value.idealRankTier))).toEqual(new Set(["core"]));
  });
});

describe("a person who wants and lives nine values in a row and rejects the others", () => {
  const inArc = (valueId: number): number => (valueId <= 4 || valueId >= 15 ? 6 : 0);
  const results = scoreOf(lives(inArc, inArc));

  test("has the harmony of 8 + 7 pairs inside the arc: 100 * (8 * 0.9458 + 7 * 0.7891) / (9 * 1.7349) = 83.84", () => {
    expect(results.overall.totalHarmonyScoreScaled).toBe(83.84);
  });

  test("has the conflict of the one pair at distance 8 inside the arc: 100 * 0.8795 / (9 * 1.8659) = 5.24", () => {
    expect(results.overall.totalConflictScoreScaled).toBe(5.24);
    expect(pairingIn(results, 415).scaledScore).toBe(100);
    expect(pairingIn(results, 515).scaledScore).toBe(0);
  });

  test("lives what it wants in one direction: archetype 1", () => {
    expect(results.overall).toMatchObject({ archetypeId: 1, totalAuthenticityGapScaled: 0 });
  });

  test("has nine core values, and the ten tied behind them share rank 10 and are guiding", () => {
    expect(results.values.map((value) => value.idealRankTier)).toEqual([
      ...modelValueIds.slice(0, 9).map(() => "core"),
      ...modelValueIds.slice(9).map(() => "guiding"),
    ]);
  });
});

describe("a person whose scores follow a cosine around the circle", () => {
  test.each([
    [0.2, 90.95, 62.51],
    [0.4, 84.69, 30.04],
  ])("with an amplitude of %d has a harmony of %d and a conflict of %d", (amplitude, harmony, conflict) => {
    const questions = questionnaire({ min: 0, max: 1_000_000 });
    const points = (valueId: number): number =>
      Math.round(1_000_000 * (0.5 + amplitude * Math.cos((2 * Math.PI * valueId) / 19)));
    const { overall } = scoreOf(keyedSession(questions, (question) => points(question.valueId)));
    expect(overall).toEqual({
      archetypeId: 1,
      totalAuthenticityGapScaled: 0,
      totalConflictScoreScaled: conflict,
      totalHarmonyScoreScaled: harmony,
    });
  });
});

describe("a person with nineteen different scores", () => {
  test("has 5 core, 5 guiding, 5 situational and 4 peripheral values", () => {
    const questions = questionnaire({ min: 0, max: 18 });
    const results = scoreOf(keyedSession(questions, (q) => 19 - q.valueId));
    expect(results.values.map((value) => value.idealRankTier)).toEqual(
      [..."cccccgggggsssssppppp"]
        .slice(0, 19)
        .map((letter) => ({ c: "core", g: "guiding", s: "situational", p: "peripheral" })[letter]),
    );
  });
});
