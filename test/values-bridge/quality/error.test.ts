// The error of one session: what each number is made of, and when there is none.
import { describe, expect, test } from "vitest";
import {
  assessSession,
  compileQuality,
  type QualityAssessor,
} from "../../../src/products/values-bridge/quality/assess.ts";
import { computeRankRanges, toGapErrors, toTotalGapError } from "../../../src/products/values-bridge/quality/error.ts";
import type { Quality, SessionError } from "../../../src/products/values-bridge/quality/quality.ts";
import {
  computePooledVariance,
  findCriticalValue,
  minDf,
  toCertainty,
} from "../../../src/products/values-bridge/quality/statistics.ts";
import { createRounder } from "../../../src/products/values-bridge/scoring/exact.ts";
import type { ScoringQuestion } from "../../../src/products/values-bridge/scoring/model.ts";
import { computeTotalGap } from "../../../src/products/values-bridge/scoring/totals.ts";
import { questionnaire } from "../../support/values-bridge/scoring-model.ts";
import { modelOf, plain } from "./models.ts";

const questions = questionnaire();

type Rate = (question: ScoringQuestion, index: number) => number | null;

/** Keyed points 0..6 that differ between values and a little within them. */
const keyed: Rate = ({ valueId, lifeContext }, index) =>
  ((valueId * 5) % 19) / 6 + (lifeContext === "ideal" ? 1 : 0) + (index % 4 === 1 ? 1 : 0) > 2
    ? 3 + (valueId % 3) + (index % 2)
    : 1 + (valueId % 2) + (index % 2);

/** The unrounded block of the plain questionnaire, from keyed points; null leaves a question unanswered. */
function block(points: Rate, assessor: QualityAssessor = plain, asked = questions): Quality {
  const answers = asked.map((question, index) => {
    const y = points(question, index);
    if (y === null) return null;
    return question.inverse ? question.max - y : question.min + y;
  });
  return assessSession(assessor.compiled, answers, null);
}

function errorOf(points: Rate, assessor: QualityAssessor = plain, asked = questions): SessionError {
  const { error, response } = block(points, assessor, asked);
  if (error === null) throw new Error(`no error: ${JSON.stringify(response)}`);
  return error;
}

function valueIn(error: SessionError, valueId: number): SessionError["values"][number] {
  const value = error.values.find((each) => each.valueId === valueId);
  if (value === undefined) throw new RangeError(`no value ${valueId}`);
  return value;
}

describe("certainty of gaps", () => {
  const gapOf = (gap: number) => ({ gap, reported: gap, weight: 1 });
  const certainties = (
    gaps: readonly (number | null)[],
    errors: readonly (number | null)[],
    df: number | null = null,
  ) =>
    toGapErrors(
      gaps.map((gap) => (gap === null ? null : gapOf(gap))),
      errors,
      df,
    ).map((error) => error?.certainty ?? null);

  test("the certainty of a gap is judged by standard errors, among the values that have a gap and no others", () => {
    const none = Array.from({ length: 18 }, () => null);
    // 2.5 standard errors: enough for one test, and not for 19.
    expect(certainties([25, ...none], [10, ...none])).toEqual(["joint", ...none]);
    const others = none.map(() => 1);
    expect(certainties([25, ...others], [10, ...none.map(() => 10)])[0]).toBe("single");
    expect(certainties([-25, 19.5, 19.7], [10, 10, 10])).toEqual(["joint", "none", "single"]);
  });

  test("Student's t judges gaps whose variance has few degrees of freedom, where all of them are tested together", () => {
    const gaps = [34.58, 34.59, 19.7, ...Array.from({ length: 16 }, () => 0)];
    // By R: qt(1 - .025 / 19, 19) is 3.458527, qnorm(1 - .025 / 19) 3.007787.
    expect(
      certainties(
        gaps,
        gaps.map(() => 10),
        19,
      ).slice(0, 3),
    ).toEqual(["single", "joint", "single"]);
    expect(
      certainties(
        gaps,
        gaps.map(() => 10),
      ).slice(0, 3),
    ).toEqual(["joint", "joint", "single"]);
    expect(certainties([null], [null], 0)).toEqual([null]);
  });

  test("a gap without a known error has no certainty, and stays as reported", () => {
    expect(toGapErrors([gapOf(40)], [null], null)).toEqual([{ reported: 40, standardError: null, certainty: null }]);
  });
});

test("a pooled variance is at least that of rounding the ratings in it", () => {
  expect(computePooledVariance({ df: 36, squaredDeviations: 3 }, 1, minDf).variance).toBe(1 / 12);
  expect(computePooledVariance({ df: 36, squaredDeviations: 3.6 }, 1, minDf).variance).toBe(0.1);
  expect(computePooledVariance({ df: 36, squaredDeviations: 0 }, 2, minDf).variance).toBe(1 / 6);
  expect(computePooledVariance({ df: 36, squaredDeviations: 0 }, 4, minDf).variance).toBe(1 / 3);
});

test("a missing pooled variance leaves null what needs it, and nothing else", () => {
  // 14 values with 3 answers and 1 with 2 are 29 degrees of freedom, in the current life alone
  const answered: Rate = (q, i) => {
    if (q.lifeContext === "ideal" || q.valueId < 15) return q.lifeContext === "ideal" || i % 4 < 3 ? keyed(q, i) : null;
    return q.valueId === 15 && i % 4 < 2 ? keyed(q, i) : null;
  };
  const error = errorOf(answered);
  expect(error.variance.current).toEqual({ df: 29, variance: null });
  expect(error.variance.gap).toEqual({ df: 29, variance: null });
  const { ideal, current, gap } = valueIn(error, 3);
  expect(ideal).toMatchObject({
    standardError: expect.any(Number),
    rankRange: [expect.any(Number), expect.any(Number)],
  });
  expect(current).toMatchObject({
    score: expect.any(Number),
    centred: expect.any(Number),
    standardError: null,
    interval: null,
    rankRange: null,
  });
  expect(gap).toMatchObject({ reported: expect.any(Number), standardError: null, certainty: null });
  expect(error.totalGap).toBeNull();
  expect(error.stability).not.toBeNull();
  const oneMore = errorOf((q, i) => (q.valueId === 15 && i % 4 === 2 ? keyed(q, i) : answered(q, i)));
  expect(oneMore.variance.current.df).toBe(30);
  expect(valueIn(oneMore, 3).current?.standardError).toBeGreaterThan(0);
});

test("the variance of gaps leaves out a value without a gap, however many of its pairs are answered", () => {
  const weights = Array.from({ length: 76 }, (_, index) => (index % 4 === 0 ? 3 : 1));
  const asked = questionnaire({ omegaWeights: weights });
  const light: Rate = (q, i) => (q.valueId === 9 && i % 4 !== 1 && i % 4 !== 2 ? null : keyed(q, i));
  const { variance, values } = errorOf(light, compileQuality(modelOf(asked)), asked);
  expect(values[8]).toMatchObject({ ideal: null, current: null, gap: null });
  expect(variance.gap.df).toBe(54);
});

test("a score is centred on the mean of its life, from 10 scored values on", () => {
  const upTo = (count: number) =>
    errorOf((q, i) => (q.lifeContext === "current" && q.valueId > count ? null : keyed(q, i)));
  const centred = (error: SessionError) => error.values.map(({ current }) => current?.centred ?? null);
  expect(centred(upTo(9)).every((each) => each === null)).toBe(true);
  const ten = centred(upTo(10)).filter((each) => each !== null);
  expect(ten).toHaveLength(10);
  expect(ten.reduce((sum, each) => sum + each, 0)).toBeCloseTo(0, 9);
});

test("a score has an interval of 1.96 standard errors that ends at 0 and 100", () => {
  const extreme: Rate = (q, i) => (q.valueId === 1 ? 6 : q.valueId === 2 ? 0 : keyed(q, i));
  const error = errorOf(extreme);
  const [full, none, other] = [valueIn(error, 1), valueIn(error, 2), valueIn(error, 3)].map(({ ideal }) => ideal);
  const width = 1.96 * Number(other?.standardError);
  expect(full?.interval).toEqual([100 - width, 100]);
  expect(none?.interval).toEqual([0, width]);
  expect(other?.interval).toEqual([Number(other?.score) - width, Number(other?.score) + width]);
});

test("a rank range moves if the difference is above 1.645 of its standard errors, not at it", () => {
  const ranges = (difference: number) =>
    computeRankRanges(
      [
        { score: 0, standardError: 3 },
        { score: difference, standardError: 4 },
      ],
      2,
    );
  expect(ranges(1.645 * 5)).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(ranges(1.645 * 5 + 1e-9)).toEqual([
    [2, 2],
    [1, 1],
  ]);
  expect(ranges(-1.645 * 5 - 1e-9)).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

test("certainty is joint from the critical value of all tests on, single from 1.96 on, in either direction", () => {
  const joint = 3.0077865564732655;
  expect(findCriticalValue(19)).toBeCloseTo(joint, 12);
  expect([joint, -joint, joint - 1e-9, 1.96, -1.96, 1.9599999, 0].map((index) => toCertainty(index, joint))).toEqual([
    "joint",
    "joint",
    "single",
    "single",
    "single",
    "none",
    "none",
  ]);
});

describe("standard errors of gaps", () => {
  test("the standard error is that of paired differences where the same statements are answered, however many", () => {
    const error = errorOf((q, i) => (q.valueId === 4 && i % 4 === 0 ? null : keyed(q, i)));
    const se = (valueId: number) => Number(valueIn(error, valueId).gap?.standardError);
    const variance = Number(error.variance.gap.variance);
    expect(se(5)).toBeCloseTo((100 / 6) * Math.sqrt(variance / 4), 12);
    expect(se(4)).toBeCloseTo((100 / 6) * Math.sqrt(variance / 3), 12);
  });

  test("the standard error is that of two scores where the two lives have different statements answered", () => {
    const omitted: Rate = (q, i) =>
      q.valueId === 4 && i % 4 === (q.lifeContext === "ideal" ? 0 : 1) ? null : keyed(q, i);
    const { ideal, current, gap } = valueIn(errorOf(omitted), 4);
    const both = Math.hypot(Number(ideal?.standardError), Number(current?.standardError));
    expect(gap?.standardError).toBeCloseTo(both, 12);
  });

  test("the standard error is unknown where different statements are answered and either score has no error", () => {
    // 14 values with 3 answers and 1 with 2 are 29 degrees of freedom, in one life alone
    const sparse =
      (life: string): Rate =>
      (q, i) =>
        q.lifeContext !== life || i % 4 < (q.valueId < 15 ? 3 : q.valueId === 15 ? 2 : 0) ? keyed(q, i) : null;
    for (const life of ["ideal", "current"] as const) {
      const { ideal, current, gap } = valueIn(errorOf(sparse(life)), 3);
      const known = { ideal, current }[life === "ideal" ? "current" : "ideal"];
      expect([{ ideal, current }[life]?.standardError, gap?.standardError]).toEqual([null, null]);
      expect(known?.standardError).toBeGreaterThan(0);
    }
  });

  test("a value of which no statement is answered in both lives adds no degree of freedom", () => {
    const apart: Rate = (q, i) => (q.valueId === 4 && i % 4 < 2 !== (q.lifeContext === "ideal") ? null : keyed(q, i));
    const error = errorOf(apart);
    expect(valueIn(error, 4).gap?.standardError).toBeGreaterThan(0);
    expect(error.variance.gap.df).toBe(18 * 3);
  });

  test("weights count as whole numbers, and statements of weight 0 are left out", () => {
    const weights = questions.map((_, index) => [2, 1, 1, 0][index % 4] ?? 0);
    const weighted = questionnaire({ omegaWeights: weights.slice(0, 76) });
    const error = errorOf(keyed, compileQuality(modelOf(weighted)), weighted);
    const { variance } = error.variance.ideal;
    expect(error.variance.ideal.df).toBe(38);
    expect(valueIn(error, 1).ideal?.standardError).toBeCloseTo(((100 / 6) * Math.sqrt(Number(variance) * 6)) / 4, 12);
    expect(valueIn(error, 1).gap?.standardError).toBeCloseTo(
      ((100 / 6) * Math.sqrt(Number(error.variance.gap.variance) * 6)) / 4,
      12,
    );
  });
});

describe("noise of the total gap", () => {
  const gaps = [
    { gap: 10, weight: 1, reported: 10 },
    { gap: -20, weight: 0.5, reported: -20 },
  ];
  const total = computeTotalGap(gaps, createRounder(2));

  test("the total gap is above noise from 1.645 standard deviations on", () => {
    // one gap: the bound is SE (sqrt(2/pi) + 1.645 sqrt(1 - 2/pi))
    const bound = Math.sqrt(2 / Math.PI) + 1.645 * Math.sqrt(1 - 2 / Math.PI);
    const alone = (gap: number) => {
      const only = [{ gap, weight: 1, reported: gap }];
      return toTotalGapError(computeTotalGap(only, createRounder(2)), only, [1])?.aboveNoise;
    };
    expect(alone(bound - 1e-9)).toBe(false);
    expect(alone(bound + 1e-9)).toBe(true);
    expect(alone(-bound - 1e-9)).toBe(true);
    const only = [{ gap: 1, weight: 1, reported: 1 }];
    const told = computeTotalGap(only, createRounder(2));
    const noise = toTotalGapError(told, only, [1]);
    if (told === null || noise === null) throw new Error("no total");
    const exactly = { ...told, total: noise.noise + 1.645 * noise.noiseSd };
    expect(toTotalGapError(exactly, only, [1])?.aboveNoise).toBe(false);
  });

  test("the noise is null without a gap, and if a gap has no standard error", () => {
    expect(toTotalGapError(total, gaps, [6, null])).toBeNull();
    expect(toTotalGapError(null, [null, null], [null, null])).toBeNull();
    expect(toTotalGapError(total, [...gaps, null], [6, 8, null])).not.toBeNull();
    const noGap = errorOf((q, i) => (q.lifeContext === "ideal" ? keyed(q, i) : null));
    expect(noGap.totalGap).toBeNull();
  });
});

test("stability is null if values differ in their number of statements, and below 3 of them", () => {
  const weightsOf = (weight: (statement: number) => number) =>
    questionnaire({ omegaWeights: Array.from({ length: 76 }, (_, index) => weight(index)) });
  const stability = (asked: ScoringQuestion[]) => errorOf(keyed, compileQuality(modelOf(asked)), asked).stability;
  expect(stability(weightsOf((index) => (index === 2 ? 0 : 1)))).toBeNull();
  expect(stability(weightsOf((index) => (index % 4 === 0 ? 0 : 1)))).toMatchObject({ versions: 3 });
  expect(stability(weightsOf((index) => (index % 4 < 2 ? 0 : 1)))).toBeNull();
});

test.each(["harmony", "conflict"] as const)("stability has no error of the focus if all pairs are of %s", (kind) => {
  const model = modelOf(questions);
  const pairings = model.scoring.pairings.filter((pairing) => pairing.kind === kind);
  const { stability } = errorOf(keyed, compileQuality({ ...model, scoring: { ...model.scoring, pairings } }));
  const known = { harmony: stability?.seHarmony, conflict: stability?.seConflict };
  expect(known[kind]).toBeGreaterThan(0);
  expect([known[kind === "harmony" ? "conflict" : "harmony"], stability?.seFocus]).toEqual([null, null]);
});

test("stability has no error of a total that a shorter version lacks", () => {
  const idealOnly = errorOf((q, i) => (q.lifeContext === "ideal" ? keyed(q, i) : null)).stability;
  expect(idealOnly).toMatchObject({ archetypeId: 9, archetypes: [9, 9, 9, 9], sameArchetype: 4, seTotalGap: null });
  expect(idealOnly?.seFocus).toBeGreaterThan(0);
  // 10 values of the ideal life have 4 answers, so that a baseline holds; the others have 2, or 1 without one of them
  const few = errorOf((q, i) =>
    q.lifeContext === "ideal" && q.valueId > 9 && i % 4 > 1 ? null : keyed(q, i),
  ).stability;
  expect(few).toMatchObject({ seHarmony: null, seConflict: null, seFocus: null });
  expect(few?.seTotalGap).toBeGreaterThan(0);
});
