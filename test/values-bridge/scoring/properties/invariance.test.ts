// What must not change results: order, coding, scale, weight unit, history (properties 6 to 10, 13, 15, 17, 18, 23, 24).
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileScoring, type Scorer } from "../../../../src/products/values-bridge/scoring/score.ts";
import { modelConstants, questionCount, scoringModel } from "../../../support/values-bridge/scoring-model.ts";
import {
  anyQuestions,
  anySession,
  anyValueId,
  completeSession,
  forAll,
  keyedSession,
  patience,
  type Session,
  scoreOf,
  valueIn,
  withQuestions,
} from "../../../support/values-bridge/sessions.ts";

const anyPosition = fc.integer({ min: 0, max: questionCount - 1 });

function scorerOf({ questions }: Session): Scorer {
  return compileScoring(scoringModel(questions));
}

describe("results stay the same", patience, () => {
  test("in whatever order questions and answers come (property 6)", () => {
    const order = fc.shuffledSubarray(
      Array.from({ length: questionCount }, (_, i) => i),
      { minLength: questionCount },
    );
    forAll(fc.tuple(anySession, order), ([session, positions]) => {
      const shuffled = {
        questions: positions.flatMap((i) => session.questions.slice(i, i + 1)),
        answers: positions.map((i) => session.answers[i] ?? null),
      };
      expect(scoreOf(shuffled)).toStrictEqual(scoreOf(session));
    });
  });

  test("when a statement is turned round and its answer mirrored (property 7)", () => {
    forAll(fc.tuple(anySession, anyPosition), ([session, position]) => {
      const turned = {
        questions: session.questions.map((q, i) => (i === position ? { ...q, inverse: !q.inverse } : q)),
        answers: session.answers.map((x, i) => (i === position && x !== null ? 8 - x : x)),
      };
      expect(scoreOf(turned)).toStrictEqual(scoreOf(session));
    });
  });

  test("when the scale is relabelled (property 8)", () => {
    const relabelling = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: -50, max: 50 }));
    forAll(fc.tuple(anySession, relabelling), ([session, [factor, shift]]) => {
      const relabel = (rating: number): number => factor * rating + shift;
      const relabelled = {
        questions: session.questions.map((q) => ({ ...q, min: relabel(q.min), max: relabel(q.max) })),
        answers: session.answers.map((x) => (x === null ? null : relabel(x))),
      };
      expect(scoreOf(relabelled)).toStrictEqual(scoreOf(session));
    });
  });

  test("when all weights are multiplied by one number (property 9)", () => {
    forAll(fc.tuple(anySession, fc.integer({ min: 2, max: 30 })), ([session, factor]) => {
      const heavier = withQuestions(session, (q) => ({
        ...q,
        omegaWeight: (factor * Math.round(1000 * q.omegaWeight)) / 1000,
      }));
      expect(scoreOf(heavier)).toStrictEqual(scoreOf(session));
    });
  });

  test("but for turned gaps and swapped ranks when the contexts are swapped (property 10)", () => {
    forAll(anySession, (session) => {
      const swapped = withQuestions(session, (q) => ({
        ...q,
        lifeContext: q.lifeContext === "ideal" ? "current" : "ideal",
      }));
      const [before, after] = [scoreOf(session), scoreOf(swapped)];
      for (const value of before.values) {
        const gap = value.authenticityGapScaled;
        expect(valueIn(after, value.valueId)).toStrictEqual({
          valueId: value.valueId,
          idealDisplayRank: value.currentDisplayRank,
          idealRankTier: value.currentRankTier,
          currentDisplayRank: value.idealDisplayRank,
          currentRankTier: value.idealRankTier,
          authenticityGapScaled: gap === null ? null : 0 - gap,
        });
      }
    });
  });

  test("in both contexts when both are answered alike: no gap anywhere (property 13)", () => {
    forAll(anySession, (session) => {
      const half = session.answers.slice(0, questionCount / 2);
      const { overall, values } = scoreOf({ questions: session.questions, answers: [...half, ...half] });
      expect([0, null]).toContain(overall.totalAuthenticityGapScaled);
      for (const value of values) {
        expect(value.currentDisplayRank).toBe(value.idealDisplayRank);
        expect(value.currentRankTier).toBe(value.idealRankTier);
        expect(value.authenticityGapScaled).toBe(value.idealDisplayRank === null ? null : 0);
      }
    });
  });

  test("in pairings, harmony and conflict when all ideal answers are keyed higher by one number (property 15)", () => {
    const low = fc.tuple(
      anyQuestions,
      fc.array(fc.integer({ min: 0, max: 4 }), { minLength: questionCount, maxLength: questionCount }),
    );
    forAll(fc.tuple(low, fc.constantFrom(1, 2)), ([[questions, points], shift]) => {
      const keyed = (by: number) =>
        keyedSession(questions, (q) => (points[q.id - 1] ?? 0) + (q.lifeContext === "ideal" ? by : 0));
      const [before, after] = [scoreOf(keyed(0)), scoreOf(keyed(shift))];
      expect(after.pairings).toStrictEqual(before.pairings);
      expect(after.overall.totalHarmonyScoreScaled).toBe(before.overall.totalHarmonyScoreScaled);
      expect(after.overall.totalConflictScoreScaled).toBe(before.overall.totalConflictScoreScaled);
    });
  });

  test("to the byte when stored answers are scored again, by the same scorer or by a new one (property 17)", () => {
    forAll(anySession, (session) => {
      const scorer = scorerOf(session);
      const first = JSON.stringify(scorer.score(session.answers));
      const stored = JSON.parse(JSON.stringify(session)) as Session;
      expect(JSON.stringify(scorer.score(stored.answers))).toBe(first);
      expect(JSON.stringify(scoreOf(stored))).toBe(first);
    });
  });

  test("whatever was answered before: only the last answer to a question counts (property 18)", () => {
    const writes = fc.array(fc.tuple(anyPosition, fc.integer({ min: 1, max: 7 })), { maxLength: 5 });
    forAll(fc.tuple(anySession, writes), ([session, changes]) => {
      const scorer = scorerOf(session);
      const answers = [...session.answers];
      for (const [position, answer] of changes) {
        scorer.score(answers);
        answers[position] = answer;
      }
      const last = new Map(changes);
      const fresh = { ...session, answers: session.answers.map((answer, i) => last.get(i) ?? answer) };
      expect(scorer.score(answers)).toStrictEqual(scoreOf(fresh));
      for (const [position, answer] of last) answers[position] = answer;
      expect(scorer.score(answers)).toStrictEqual(scoreOf(fresh));
    });
  });

  test("when questions of weight 0 are added, answered or not (property 23)", () => {
    const extra = fc.record({ valueId: anyValueId, inverse: fc.boolean(), answer: fc.constantFrom(null, null, 1, 7) });
    forAll(fc.tuple(anySession, fc.array(extra, { minLength: 1, maxLength: 8 })), ([session, extras]) => {
      const added = extras.flatMap(({ valueId, inverse }, i) =>
        (["ideal", "current"] as const).map((lifeContext, j) => ({
          ...{ id: 1001 + 2 * i + j, valueId, lifeContext, inverse, omegaWeight: 0, min: 1, max: 7 },
        })),
      );
      const longer = {
        questions: [...added, ...session.questions],
        answers: [...extras.flatMap(({ answer }) => [answer, answer]), ...session.answers],
      };
      expect(scoreOf(longer)).toStrictEqual(scoreOf(session));
    });
  });

  test("under an old version while newer versions are compiled and used (property 24)", () => {
    forAll(fc.tuple(anySession, completeSession), ([session, newer]) => {
      const old = scorerOf(session);
      const before = JSON.stringify([old.score(session.answers), old.explain(session.answers)]);
      const constants = {
        ...modelConstants,
        version: 2,
        priorityGain: 2,
        importanceFloor: 1,
        unranked: "none",
        tiers: [],
      };
      const successor = compileScoring({ ...scoringModel(newer.questions), constants });
      successor.score(newer.answers);
      expect(JSON.stringify([old.score(session.answers), old.explain(session.answers)])).toBe(before);
    });
  });

  test("when the caller forbids any change to model and answers", () => {
    forAll(anySession, (session) => {
      const model = scoringModel(session.questions.map((question) => Object.freeze({ ...question })));
      const frozen = Object.freeze({ ...model, questions: Object.freeze(model.questions) });
      expect(compileScoring(frozen).score(Object.freeze([...session.answers]))).toStrictEqual(scoreOf(session));
    });
  });
});
