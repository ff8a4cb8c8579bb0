// What must not change quality, and what quality must not change.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  assessSession,
  compileQuality,
  type QualityAssessor,
} from "../../../src/products/values-bridge/quality/assess.ts";
import { estimateError } from "../../../src/products/values-bridge/quality/error.ts";
import type { ArrivalTimes } from "../../../src/products/values-bridge/quality/model.ts";
import type { SessionError } from "../../../src/products/values-bridge/quality/quality.ts";
import { readSession } from "../../../src/products/values-bridge/quality/sheet.ts";
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";
import { lifeContexts, questionCount, scoringModel } from "../../support/values-bridge/scoring-model.ts";
import {
  anySession,
  explanationOf,
  forAll,
  patience,
  type Session,
  scoresIn,
} from "../../support/values-bridge/sessions.ts";
import { modelOf } from "./models.ts";

const anyPosition = fc.integer({ min: 0, max: questionCount - 1 });

const anyTimes: fc.Arbitrary<ArrivalTimes | null> = fc.option(
  fc
    .record({ ms: fc.integer({ min: 0, max: 2_000_000 }), calls: fc.integer({ min: 1, max: 152 }), first: anyPosition })
    .map(({ ms, calls, first }) => {
      const firstCallAnswers = first + 1;
      return { firstAnswerAt: new Date(7), lastAnswerAt: new Date(7 + ms), answerCalls: calls, firstCallAnswers };
    }),
);

function assessorOf({ questions }: Session): QualityAssessor {
  return compileQuality(modelOf(questions));
}

/** The error of a session whatever its grade. Unrounded. */
function errorOf(session: Session): SessionError {
  const { compiled } = assessorOf(session);
  return estimateError(compiled, readSession(compiled, session.answers));
}

describe("quality stays the same", patience, () => {
  test("to the byte when the same answers are assessed again, by the same assessor or by a new one", () => {
    forAll(fc.tuple(anySession, anyTimes), ([session, times]) => {
      const assessor = assessorOf(session);
      const block = JSON.stringify(assessor.assess(session.answers, times));
      expect(JSON.stringify(assessor.assess(session.answers, times))).toBe(block);
      expect(JSON.stringify(assessorOf(session).assess([...session.answers], times))).toBe(block);
    });
  });

  test("but for seconds, speed and the grade they lead to, whenever the answers arrive", () => {
    forAll(fc.tuple(anySession, anyTimes), ([session, times]) => {
      const { compiled } = assessorOf(session);
      const [timed, untimed] = [times, null].map((each) => assessSession(compiled, session.answers, each));
      const { secondsPerAnswer: _, grade, flags, ...indices } = timed?.response ?? {};
      expect(untimed?.response).toMatchObject(indices);
      expect(untimed?.coverage).toStrictEqual(timed?.coverage);
      expect(untimed?.response.flags).toEqual(flags?.filter(({ index }) => index !== "speed"));
      if (timed?.error && untimed?.error) expect(timed.error).toStrictEqual(untimed.error);
      if (!flags?.some(({ index }) => index === "speed")) expect(untimed?.response.grade).toBe(grade);
    });
  });

  test("in whatever order and in however many calls the answers come", () => {
    const order = fc.shuffledSubarray(
      Array.from({ length: questionCount }, (_, i) => i),
      { minLength: questionCount },
    );
    forAll(fc.tuple(anySession, order), ([session, positions]) => {
      const sheet: (number | null)[] = session.answers.map(() => null);
      for (const position of positions) sheet[position] = session.answers[position] ?? null;
      const assessor = assessorOf(session);
      expect(assessor.assess(sheet, null)).toStrictEqual(assessor.assess(session.answers, null));
    });
  });

  test("but for raw ratings when a statement is turned round and its answer mirrored", () => {
    forAll(fc.tuple(anySession, anyPosition), ([session, position]) => {
      const turned = {
        questions: session.questions.map((q, i) => (i === position ? { ...q, inverse: !q.inverse } : q)),
        answers: session.answers.map((x, i) => (i === position && x !== null ? 8 - x : x)),
      };
      const [before, after] = [session, turned].map((each) =>
        assessSession(assessorOf(each).compiled, each.answers, null),
      );
      const { consistency, consistencyIdeal, consistencyCurrent, extremes, midpoint } = before?.response ?? {};
      expect(after?.response).toMatchObject({ consistency, consistencyIdeal, consistencyCurrent, extremes, midpoint });
      expect(after?.coverage).toStrictEqual(before?.coverage);
      expect(errorOf(turned)).toStrictEqual(errorOf(session));
    });
  });

  test("but for spread and variances when the scale is relabelled", () => {
    const relabelling = fc.tuple(fc.integer({ min: 2, max: 20 }), fc.integer({ min: -50, max: 50 }));
    forAll(fc.tuple(anySession, relabelling), ([session, [factor, shift]]) => {
      const relabel = (rating: number): number => factor * rating + shift;
      const relabelled = {
        questions: session.questions.map((q) => ({ ...q, min: relabel(q.min), max: relabel(q.max) })),
        answers: session.answers.map((x) => (x === null ? null : relabel(x))),
      };
      const [before, after] = [session, relabelled].map((each) => assessorOf(each).assess(each.answers, null));
      const { spread, ...response } = before?.response ?? {};
      expect(after?.response).toStrictEqual({ ...response, spread: after?.response.spread });
      expect(after?.response.spread ?? 0).toBeCloseTo(factor * (spread ?? 0), 1);
      expect(after?.coverage).toStrictEqual(before?.coverage);
      if (!before?.error || !after?.error) return;
      const { ideal, current, gap } = before.error.variance;
      const [lowest, lowestGap] = [Math.min(ideal.variance ?? 1, current.variance ?? 1), gap.variance ?? 1];
      if (lowest < 0.0834 || lowestGap < 0.1667) return; // at a floor, which is of one scale
      const { variance, ...error } = before.error;
      expect(after.error).toStrictEqual({ ...error, variance: after.error.variance });
      expect(after.error.variance.ideal.df).toBe(variance.ideal.df);
    });
  });

  test("when statements of weight 0 are answered in whichever way", () => {
    const answer = fc.option(fc.integer({ min: 1, max: 7 }));
    forAll(fc.tuple(anySession, anyPosition, answer, answer), ([session, position, one, other]) => {
      const statement = position % (questionCount / 2);
      const isOut = (index: number) => index % (questionCount / 2) === statement;
      const questions = session.questions.map((q, i) => (isOut(i) ? { ...q, omegaWeight: 0 } : q));
      const [first, second] = [one, other].map((rating) =>
        assessorOf({ questions, answers: [] }).assess(
          session.answers.map((x, i) => (isOut(i) ? rating : x)),
          null,
        ),
      );
      expect(first).toStrictEqual(second);
      expect(first?.coverage.asked).toBe(questionCount - 2);
    });
  });
});

describe("with quality", patience, () => {
  test("results are the same bytes, and answers are left as they are", () => {
    forAll(fc.tuple(anySession, anyTimes), ([session, times]) => {
      const scorer = compileScoring(scoringModel(session.questions));
      const results = JSON.stringify(scorer.score(session.answers));
      const answers = Object.freeze([...session.answers]);
      assessorOf(session).assess(answers, times);
      expect(JSON.stringify(scorer.score(answers))).toBe(results);
      expect(answers).toStrictEqual(session.answers);
    });
  });

  test("the shared rank and the display rank of a value lie in its rank range", () => {
    forAll(anySession, (session) => {
      const explanation = explanationOf(session);
      for (const value of errorOf(session).values) {
        for (const life of lifeContexts) {
          const rank = explanation.values.find(({ valueId }) => valueId === value.valueId)?.[life];
          const range = value[life]?.rankRange ?? null;
          if (range === null) continue;
          expect(rank?.sharedRank).toBeGreaterThanOrEqual(range[0]);
          expect(rank?.sharedRank).toBeLessThanOrEqual(range[1]);
          expect(rank?.displayRank).toBeGreaterThanOrEqual(range[0]);
          expect(rank?.displayRank).toBeLessThanOrEqual(range[1]);
        }
      }
    });
  });

  test("scores are those of the results, with the ties between them", () => {
    forAll(anySession, (session) => {
      const explanation = explanationOf(session);
      const { values, totalGap } = errorOf(session);
      for (const life of lifeContexts) {
        const scores = scoresIn(explanation, life);
        for (const { valueId, [life]: error } of values) {
          const score = scores.get(valueId) ?? null;
          expect(error?.score ?? null).toBe(score === null ? null : 100 * score);
          const ties = [...scores].filter(([other, rival]) => other !== valueId && score !== null && rival === score);
          expect(error?.tiedWith ?? []).toEqual(ties.map(([other]) => other));
        }
      }
      if (totalGap !== null) expect(totalGap.total).toBe(explanation.totalGap?.reported);
    });
  });
});
