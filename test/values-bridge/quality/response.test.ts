// Response quality: when an index has no number, and what each one counts.
import { describe, expect, test } from "vitest";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import type { ArrivalTimes } from "../../../src/products/values-bridge/quality/model.ts";
import type { ResponseQuality } from "../../../src/products/values-bridge/quality/quality.ts";
import {
  consistencyOf,
  longestRun,
  secondsPerAnswerOf,
  shareOf,
  spreadOf,
} from "../../../src/products/values-bridge/quality/response.ts";
import { sampleOf } from "../../../src/products/values-bridge/quality/statistics.ts";
import type { ScoringQuestion } from "../../../src/products/values-bridge/scoring/model.ts";
import { blockLength, questionnaire } from "../../support/values-bridge/scoring-model.ts";
import { modelOf, plain } from "./models.ts";

const questions = questionnaire();

/** Response quality of the plain questionnaire; null leaves a question unanswered. */
function response(rate: (question: ScoringQuestion, index: number) => number | null): ResponseQuality {
  return plain.assess(questions.map(rate), null).response;
}

/** Ratings that differ from value to value and from statement to statement. */
function varied({ valueId, inverse }: ScoringQuestion, index: number): number {
  const forward = 3 + (valueId % 3) + (index % 2);
  return inverse ? 8 - forward : forward;
}

describe("the longest run", () => {
  test("stays within a block: the end of one and the start of the other do not make one run", () => {
    const atBorder = (_: ScoringQuestion, index: number) => (index > 69 && index < 82 ? 4 : 1 + (index % 3));
    expect(response(atBorder).longestRun).toBe(6);
  });

  test.each([
    ["first", 0],
    ["second", blockLength],
  ])("is told though it is in the %s block alone", (_, begin) => {
    const isInRun = (index: number) => index >= begin && index < begin + 11;
    expect(response((_question, index) => (isInRun(index) ? 4 : 1 + (index % 3))).longestRun).toBe(11);
  });

  test("is 0 without an answer", () => {
    expect(longestRun([])).toBe(0);
    expect(response(() => null).longestRun).toBe(0);
  });
});

describe("spread, extremes and midpoint", () => {
  test("have no number below two answers, and without one", () => {
    const one = response((_, index) => (index === 0 ? 7 : null));
    expect(one).toMatchObject({ spread: null, extremes: 1, midpoint: 0 });
    const none = response(() => null);
    expect(none).toMatchObject({ spread: null, extremes: null, midpoint: null });
    expect(spreadOf([3, 4])).toBeCloseTo(Math.SQRT1_2, 12);
  });

  test("count both ends, and the middle that only an odd number of ratings has", () => {
    expect(response((_, index) => [1, 7, 4, 3][index % 4] ?? null)).toMatchObject({ extremes: 0.5, midpoint: 0.25 });
    expect(shareOf([3.5], [3, 4, 3, 4])).toBe(0);
  });
});

describe("opposites", () => {
  test("need 10 cells with both a forward and an inverse statement", () => {
    const upTo = (cells: number) => (question: ScoringQuestion, index: number) =>
      question.inverse && (question.lifeContext === "current" || question.valueId > cells)
        ? null
        : varied(question, index);
    expect(response(upTo(9)).opposites).toBeNull();
    expect(response(upTo(10)).opposites).toBeLessThan(0);
  });

  test("leave out a cell in which only one kind is answered", () => {
    const onlyInverse = (q: ScoringQuestion, i: number) => (q.valueId < 4 && !q.inverse ? null : varied(q, i));
    const onlyForward = (q: ScoringQuestion, i: number) => (q.valueId < 4 && q.inverse ? null : varied(q, i));
    const neither = (q: ScoringQuestion, i: number) => (q.valueId < 4 ? null : varied(q, i));
    expect(response(onlyInverse).opposites).toBe(response(neither).opposites);
    expect(response(onlyForward).opposites).toBe(response(neither).opposites);
    expect(response(onlyInverse).agreementIdeal).toBe(response(neither).agreementIdeal);
  });

  test("have no number where forward or inverse ratings do not vary between cells", () => {
    expect(response((q, i) => (q.inverse ? 3 : varied(q, i))).opposites).toBeNull();
    expect(response((q, i) => (q.inverse ? varied(q, i) : 3)).opposites).toBeNull();
    // 11/3 is no double, so that a sum of many of them is not exactly a multiple
    expect(response((q, i) => (q.inverse ? varied(q, i) : 3 + (i % 4 === 1 ? 2 : 0))).opposites).toBeNull();
  });

  test("are -1 where inverse ratings mirror forward ones, and 1 where they repeat them", () => {
    const level = ({ valueId }: ScoringQuestion) => 2 + (valueId % 4);
    expect(response((q) => (q.inverse ? 8 - level(q) : level(q))).opposites).toBe(-1);
    expect(response(level).opposites).toBe(1);
  });
});

describe("consistency", () => {
  const cell = (...points: number[]) => sampleOf(points);
  const cells = (count: number, size: number) =>
    Array.from({ length: count }, (_, i) => cell(...Array.from({ length: size }, (_, j) => (i % 3) + (j % 2))));

  test("needs 10 cells", () => {
    expect(consistencyOf(cells(9, 6))).toBeNull();
    expect(consistencyOf(cells(10, 6))).not.toBeNull();
  });

  test("needs 30 degrees of freedom within them", () => {
    expect(consistencyOf([...cells(9, 4), cell(5, 6, 6)])).toBeNull();
    expect(consistencyOf(cells(10, 4))).not.toBeNull();
  });

  test("has no number where all means are equal, also where a mean is no double", () => {
    expect(
      consistencyOf(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? cell(3, 4, 4) : cell(5, 1, 5)))),
    ).toBeNull();
  });

  test("is 1 - MSW/MSB, and 1 without differences within", () => {
    // 10 cells of 4: within 2/3 of a squared point each; means 0..9, of variance 55/6, times 4
    const ladder = Array.from({ length: 10 }, (_, i) => cell(i - 1, i, i, i + 1));
    expect(consistencyOf(ladder)).toBeCloseTo(1 - 2 / 3 / ((55 / 6) * 4), 12);
    expect(consistencyOf(Array.from({ length: 10 }, (_, i) => cell(i, i, i, i)))).toBe(1);
  });

  test("weighs unequal counts by their harmonic mean", () => {
    const uneven = Array.from({ length: 12 }, (_, i) =>
      i < 6 ? cell(i, i + 2) : cell(i - 1, i, i, i, i, i, i, i + 1),
    );
    // df 6 + 42, squares 12 + 12; means 1..6 and 6..11; harmonic mean of 2 and 8 is 3.2
    const means = [1, 2, 3, 4, 5, 6, 6, 7, 8, 9, 10, 11];
    const variance = means.reduce((sum, mean) => sum + (mean - 6) ** 2, 0) / 11;
    expect(consistencyOf(uneven)).toBeCloseTo(1 - 24 / 48 / (variance * 3.2), 12);
  });

  test("is not below -1", () => {
    expect(consistencyOf(Array.from({ length: 10 }, (_, i) => cell(0, 6, 0, 6, i === 0 ? 1 : 0)))).toBe(-1);
  });

  test("counts scored cells only", () => {
    const without = response((q, i) => (q.valueId === 19 && q.lifeContext === "current" ? null : varied(q, i)));
    const oneLeft = response((q, i) =>
      q.valueId === 19 && q.lifeContext === "current" && i % 4 > 0 ? null : varied(q, i),
    );
    expect(oneLeft.consistency).toBe(without.consistency);
    expect(oneLeft.consistencyCurrent).toBe(without.consistencyCurrent);
  });
});

describe("seconds for each answer", () => {
  const times = (changes: Partial<ArrivalTimes>): ArrivalTimes => ({
    firstAnswerAt: new Date(5_000),
    lastAnswerAt: new Date(65_000),
    answerCalls: 3,
    firstCallAnswers: 12,
    ...changes,
  });

  test("need 3 calls and 20 answers after the first", () => {
    expect(secondsPerAnswerOf(times({}), 32)).toBe(3);
    expect(secondsPerAnswerOf(times({ answerCalls: 2 }), 32)).toBeNull();
    expect(secondsPerAnswerOf(times({}), 31)).toBeNull();
    expect(secondsPerAnswerOf(null, 152)).toBeNull();
  });

  test("count the questions that are answered, not all that were asked", () => {
    const answers = questions.map((question, index) => (index < 112 ? varied(question, index) : null));
    expect(plain.assess(answers, times({})).response.secondsPerAnswer).toBe(0.6);
  });

  test("have no number where the clock went back", () => {
    expect(secondsPerAnswerOf(times({ lastAnswerAt: new Date(4_999) }), 32)).toBeNull();
    expect(secondsPerAnswerOf(times({ lastAnswerAt: new Date(5_000) }), 32)).toBe(0);
  });
});

describe("agreement", () => {
  /** Agrees one point more with everything in the ideal life. */
  const agreeing = (question: ScoringQuestion, index: number) =>
    varied(question, index) + (question.lifeContext === "ideal" ? 1 : 0);

  test("is the share of the span by which forward and inverse ratings together leave the middle", () => {
    const level = response((q) => (q.inverse ? 5 : 6));
    expect(level.agreementIdeal).toBe(0.25);
    expect(level.agreementCurrent).toBe(0.25);
    expect(level.agreementShift).toBe(0);
  });

  test("shifts every gap by half of the difference between the lives, for 3 forward and 1 inverse", () => {
    const { agreementIdeal, agreementCurrent, agreementShift } = response(agreeing);
    expect(Number(agreementIdeal) - Number(agreementCurrent)).toBeCloseTo(1 / 6, 4);
    expect(agreementShift).toBe(8.33);
  });

  test("needs 10 cells in each life, and 10 values in both for the shift", () => {
    const only = (ideal: (id: number) => boolean, current: (id: number) => boolean) =>
      response((q, i) => {
        const isKept = q.lifeContext === "ideal" ? ideal(q.valueId) : current(q.valueId);
        return q.inverse && !isKept ? null : varied(q, i);
      });
    const nine = only(
      (id) => id <= 9,
      (id) => id <= 10,
    );
    expect(nine.agreementIdeal).toBeNull();
    expect(nine.agreementCurrent).not.toBeNull();
    expect(nine.agreementShift).toBeNull();
    const apart = only(
      (id) => id <= 14,
      (id) => id >= 6,
    );
    expect([apart.agreementIdeal, apart.agreementCurrent]).not.toContain(null);
    expect(apart.agreementShift).toBeNull();
    const ten = only(
      (id) => id <= 14,
      (id) => id >= 5,
    );
    expect(ten.agreementShift).not.toBeNull();
  });

  test("has no shift where cells differ in their share of inverse statements", () => {
    const uneven = questions.map((question, index) =>
      index % blockLength === 0 ? { ...question, inverse: true } : question,
    );
    const { agreementShift, agreementIdeal } = compileQuality(modelOf(uneven)).assess(
      questions.map(varied),
      null,
    ).response;
    expect(agreementIdeal).not.toBeNull();
    expect(agreementShift).toBeNull();
  });
});
