// Which way numbers move when answers do (properties 11, 14 and 25).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { itemsPerCell, questionCount } from "../../../support/values-bridge/scoring-model.ts";
import {
  answerFor,
  anySession,
  anyValueId,
  completeSession,
  explanationOf,
  forAll,
  isIn,
  keyedOf,
  patience,
  scoreOf,
  valueIn,
  withAnswers,
} from "../../../support/values-bridge/sessions.ts";

describe("raising one ideal answer", patience, () => {
  const cases = fc.tuple(anySession, fc.integer({ min: 1, max: questionCount / 2 }), fc.integer({ min: 1, max: 6 }));

  test("never worsens the value's ideal rank, never lowers its gap and never touches current ranks (property 11)", () => {
    forAll(cases, ([session, questionId, by]) => {
      const raised = withAnswers(session, (question, answer) =>
        question.id === questionId && answer !== null
          ? answerFor(question, Math.min(6, keyedOf(question, answer) + by))
          : undefined,
      );
      const valueId = 1 + Math.floor((questionId - 1) / itemsPerCell);
      const [before, after] = [scoreOf(session), scoreOf(raised)];
      const [was, is] = [valueIn(before, valueId), valueIn(after, valueId)];
      expect(is.idealDisplayRank ?? 0).toBeLessThanOrEqual(was.idealDisplayRank ?? 0);
      expect(is.authenticityGapScaled ?? 0).toBeGreaterThanOrEqual(was.authenticityGapScaled ?? 0);
      for (const value of before.values) {
        expect(valueIn(after, value.valueId).currentDisplayRank).toBe(value.currentDisplayRank);
        expect(valueIn(after, value.valueId).currentRankTier).toBe(value.currentRankTier);
      }
    });
  });

  test("raises the score strictly, if the value is scored and the answer was not at its end", () => {
    forAll(cases, ([session, questionId, by]) => {
      const valueId = 1 + Math.floor((questionId - 1) / itemsPerCell);
      const low = withAnswers(session, (q, x) => (q.id === questionId && x !== null ? answerFor(q, 0) : undefined));
      const high = withAnswers(session, (q, x) => (q.id === questionId && x !== null ? answerFor(q, by) : undefined));
      const scores = [low, high].map((s) => explanationOf(s).values.find((v) => v.valueId === valueId)?.ideal.score);
      const [a, b] = scores;
      const answered = session.answers[questionId - 1] !== null;
      if (typeof a === "number" && typeof b === "number" && answered) expect(b).toBeGreaterThan(a);
      else expect(b).toBe(a);
    });
  });
});

describe("the total gap", patience, () => {
  test("is the sum of what is lived too little and what is lived too much (property 14)", () => {
    forAll(anySession, (session) => {
      const { totalGap } = explanationOf(session);
      if (totalGap === null) return expect(scoreOf(session).overall.totalAuthenticityGapScaled).toBeNull();
      expect(totalGap.short).toBeGreaterThanOrEqual(0);
      expect(totalGap.over).toBeGreaterThanOrEqual(0);
      expect(totalGap.short + totalGap.over).toBeCloseTo(totalGap.total, 9);
    });
  });

  test("grows with the size of each gap while the ideal stays (property 25)", () => {
    const otherLife = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 4, maxLength: 4 });
    forAll(fc.tuple(completeSession, anyValueId, otherLife), ([session, valueId, ratings]) => {
      const changed = withAnswers(session, (question) =>
        isIn(question, valueId, "current") ? ratings[question.id % 4] : undefined,
      );
      const sizes = [session, changed].map((each) => {
        const explanation = explanationOf(each);
        const gap = explanation.values.find((value) => value.valueId === valueId)?.gap?.gap ?? Number.NaN;
        return { gap: Math.abs(gap), total: scoreOf(each).overall.totalAuthenticityGapScaled ?? Number.NaN };
      });
      const [smaller, larger] = sizes.toSorted((a, b) => a.gap - b.gap);
      expect(smaller?.total).toBeLessThanOrEqual(larger?.total ?? Number.NaN);
    });
  });
});
