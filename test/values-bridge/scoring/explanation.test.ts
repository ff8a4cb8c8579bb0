// The explanation says how every reported number came about.
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";
import type { Explanation } from "../../../src/products/values-bridge/scoring/shapes.ts";
import { exactResults, explainedSession } from "../../support/values-bridge/exact-results.ts";
import {
  lifeContexts,
  modelArchetypes,
  modelConstants,
  questionnaire,
  toScoringModel,
  unresolvedArchetype,
} from "../../support/values-bridge/scoring-model.ts";
import {
  explanationOf,
  forAll,
  isIn,
  keyedSession,
  noFilter,
  type Session,
  scoreOf,
  withAnswers,
} from "../../support/values-bridge/sessions.ts";
import { readVectors } from "./vectors.ts";

/** The explanation as it arrives at a partner. */
function receivedExplanation(session: Session): Explanation {
  return JSON.parse(JSON.stringify(explanationOf(session))) as Explanation;
}

/** Checks that the explanation alone leads to the results, and that its own steps do. */
function expectExplained(session: Session): void {
  const results = scoreOf(session);
  const explanation = receivedExplanation(session);
  const { archetype, harmony, conflict, totalGap } = explanation;
  expect(exactResults(explainedSession(explanation))).toEqual(results);
  const { totalAuthenticityGapScaled: gap, totalHarmonyScoreScaled, totalConflictScoreScaled } = results.overall;
  const focus = [totalHarmonyScoreScaled, totalConflictScoreScaled].includes(null)
    ? null
    : Number(((totalHarmonyScoreScaled ?? 0) - (totalConflictScoreScaled ?? 0)).toFixed(modelConstants.decimals));
  expect([totalGap?.reported ?? null, harmony.reported, conflict.reported, archetype.focus]).toEqual([
    gap,
    totalHarmonyScoreScaled,
    totalConflictScoreScaled,
    focus,
  ]);

  expect(archetype.archetypeId).toBe(results.overall.archetypeId);
  const { gapBand, direction } = archetype;
  const chosen = modelArchetypes.find(
    (rule) => rule.direction === direction && rule.gapFrom === gapBand?.from && rule.gapBelow === gapBand.below,
  );
  expect(archetype.archetypeId).toBe(chosen?.id ?? unresolvedArchetype);
  expect(archetype.unresolved === null).toBe(chosen !== undefined);
  if (gapBand !== null) {
    expect(gap).toBeGreaterThanOrEqual(gapBand.from);
    expect(gap).toBeLessThan(gapBand.below ?? Number.POSITIVE_INFINITY);
  }
}

/** Checks each step of the explanation against the step before. */
function expectStepsToFollow({ values, totalGap, baseline, pairings, harmony, conflict }: Explanation): void {
  for (const value of values) {
    for (const context of lifeContexts) {
      const { items, score, numerator, denominator, ...rest } = value[context];
      const counted = items.filter((item) => item.weight > 0);
      const answered = counted.filter((item) => item.answer !== null);
      expect(rest.countedItems).toBe(counted.length);
      expect(rest.answeredItems).toBe(answered.length);
      expect(rest.countedWeight).toBe(counted.reduce((sum, item) => sum + item.weight, 0));
      expect(rest.answeredWeight).toBe(answered.reduce((sum, item) => sum + item.weight, 0));
      expect(numerator).toBe(answered.reduce((sum, item) => sum + item.weight * (item.keyed ?? Number.NaN), 0));
      expect(denominator).toBe(answered.reduce((sum, item) => sum + item.weight * (item.max - item.min), 0));
      expect(score).toBe(rest.unscored === null ? numerator / denominator : null);
      const stronger = values.filter((other) => score !== null && (other[context].score ?? -1) > score);
      expect(rest.sharedRank).toBe(score === null ? null : 1 + stronger.length);
      const beside = value.neighbours
        .map((id) => values.find((other) => other.valueId === id)?.[context].score ?? null)
        .filter((neighbour) => neighbour !== null);
      if (score === null || beside.length === 0) expect(rest.neighbourMean).toBeNull();
      else expect(rest.neighbourMean).toBeCloseTo(beside.reduce((sum, s) => sum + s, 0) / beside.length, 8);
    }
    const { ideal, current, gap, priority } = value;
    if (ideal.score === null || current.score === null) expect(gap).toBeNull();
    else expect(gap).toMatchObject({ gap: 100 * (ideal.score - current.score), weight: 0.5 + ideal.score });
    if (ideal.score === null || baseline.mean === null) expect(priority).toBeNull();
    else expect(priority).toBeCloseTo(Math.min(1, Math.max(0, 0.5 + 1.5 * (ideal.score - baseline.mean))), 12);
  }
  const gaps = values.map((value) => value.gap).filter((gap) => gap !== null);
  expect(totalGap?.values ?? 0).toBe(gaps.length);
  expect(totalGap?.weightSum ?? 0).toBeCloseTo(
    gaps.reduce((sum, { weight }) => sum + weight, 0),
    9,
  );
  expect(totalGap?.weightedSum ?? 0).toBeCloseTo(
    gaps.reduce((sum, { weight, gap }) => sum + weight * Math.abs(gap), 0),
    9,
  );
  const short = gaps.reduce((sum, { weight, gap }) => sum + weight * Math.max(gap, 0), 0);
  expect((totalGap?.short ?? 0) * (totalGap?.weightSum ?? 0)).toBeCloseTo(short, 9);
  if (totalGap !== null) expect(totalGap.total).toBe(totalGap.weightedSum / totalGap.weightSum);

  const scored = values.filter((value) => value.ideal.score !== null);
  expect(baseline.scoredValues).toBe(scored.length);
  expect(baseline.scoreSum).toBeCloseTo(
    scored.reduce((sum, value) => sum + (value.ideal.score ?? 0), 0),
    9,
  );
  expect(baseline.mean).toBe(scored.length < 10 ? null : baseline.scoreSum / baseline.scoredValues);
  for (const pairing of pairings) {
    const [a = null, b = null] = pairing.values.map((id) => values.find((value) => value.valueId === id)?.priority);
    const both = a !== null && b !== null;
    expect([pairing.min, pairing.mean]).toEqual(both ? [Math.min(a, b), (a + b) / 2] : [null, null]);
  }
  for (const [kind, total] of Object.entries({ harmony, conflict })) {
    const terms = pairings.filter((pairing) => pairing.kind === kind && pairing.min !== null);
    expect(total.pairings).toBe(terms.length);
    expect(total.numerator).toBeCloseTo(
      terms.reduce((sum, { kappa, min }) => sum + kappa * (min ?? 0), 0),
      9,
    );
    expect(total.denominator).toBeCloseTo(
      terms.reduce((sum, { kappa, mean }) => sum + kappa * (mean ?? 0), 0),
      9,
    );
  }
}

test.each(readVectors())("the explanation alone leads to every reported number of worked case $name", ({ session }) => {
  expectExplained(session);
  expectStepsToFollow(receivedExplanation(session));
});

test("an explanation alone leads to every reported number", () => {
  forAll(noFilter, expectExplained);
});

test("the steps of an explanation follow from one another", () => {
  forAll(noFilter, (session) => expectStepsToFollow(receivedExplanation(session)));
});

test("an explanation names each question once, with the answer that was given", () => {
  forAll(noFilter, (session) => {
    const items = explanationOf(session).values.flatMap(({ ideal, current }) => [...ideal.items, ...current.items]);
    const byId = items.toSorted((a, b) => a.questionId - b.questionId);
    expect(byId.map(({ questionId, answer }) => [questionId, answer])).toEqual(
      session.questions.map(({ id }, i) => [id, session.answers[i]]),
    );
  });
});

test("an explanation has pairings in the order of the results, and ascending ids elsewhere, however the questions come", () => {
  forAll(fc.tuple(noFilter, fc.boolean()), ([{ questions, answers }, reversed]) => {
    const session = reversed
      ? { questions: questions.toReversed(), answers: answers.toReversed() }
      : { questions, answers };
    const { values, pairings } = explanationOf(session);
    expect(pairings.map(({ valuePairingId, reported }) => ({ valuePairingId, scaledScore: reported }))).toEqual(
      scoreOf(session).pairings,
    );
    const ids = values.flatMap(({ ideal }) => ideal.items.map((item) => item.questionId));
    expect(ids).toEqual(questions.filter((q) => q.lifeContext === "ideal").map((q) => q.id));
    expect(values.map((value) => value.valueId)).toEqual(values.map((_, i) => i + 1));
  });
});

test("an explanation names the model, its version and its constants", () => {
  const session = keyedSession(questionnaire(), () => 3);
  expect(explanationOf(session).constants).toEqual(modelConstants);
  const scorer = compileScoring({ ...toScoringModel(session.questions), constants: { ...modelConstants, version: 7 } });
  expect(scorer.explain(session.answers).constants).toMatchObject({ model: "values-bridge-scoring", version: 7 });
});

test("an explanation says that a question has no answer, and why the value has no score", () => {
  const session = withAnswers(
    keyedSession(questionnaire({ omegaWeights: [3, 1, 0.5, 1] }), () => 6),
    (question) => (isIn(question, 1, "ideal") && question.id !== 2 && question.id !== 4 ? null : undefined),
  );
  expect(explanationOf(session).values[0]?.ideal).toEqual({
    items: [
      { questionId: 1, inverse: false, weight: 3000, min: 1, max: 7, answer: null, keyed: null },
      { questionId: 2, inverse: false, weight: 1000, min: 1, max: 7, answer: 7, keyed: 6 },
      { questionId: 3, inverse: false, weight: 500, min: 1, max: 7, answer: null, keyed: null },
      { questionId: 4, inverse: true, weight: 1000, min: 1, max: 7, answer: 1, keyed: 6 },
    ],
    countedItems: 4,
    countedWeight: 5500,
    answeredItems: 2,
    answeredWeight: 2000,
    numerator: 12000,
    denominator: 12000,
    score: null,
    unscored: "too_little_weight",
    displayRank: null,
    sharedRank: null,
    tier: "unranked",
    neighbourMean: null,
  });
});

test("an explanation shows an answer of negative zero as zero", () => {
  const questions = questionnaire({ min: 0, max: 4 });
  const item = compileScoring(toScoringModel(questions)).explain(questions.map(() => -0)).values[0]?.ideal.items[0];
  expect([item?.answer, item?.keyed]).toStrictEqual([0, 0]);
});
