// Response quality: when an index has no number, and what each one counts.
import { describe, expect, test } from "vitest";
import { compileQuality } from "../../../src/products/values-bridge/quality/assess.ts";
import type { ArrivalTimes } from "../../../src/products/values-bridge/quality/model.ts";
import type { ResponseQuality } from "../../../src/products/values-bridge/quality/quality.ts";
import {
  computeConsistency,
  computeSecondsPerAnswer,
  computeSpread,
  findLongestRun,
} from "../../../src/products/values-bridge/quality/response.ts";
import {
  minDf,
  minDfShortForm,
  type Sample,
  toSample,
} from "../../../src/products/values-bridge/quality/statistics.ts";
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

test("the longest run stays within a block: the end of one and the start of the other do not make one run", () => {
  const atBorder = (_: ScoringQuestion, index: number) => (index > 69 && index < 82 ? 4 : 1 + (index % 3));
  expect(response(atBorder).longestRun).toBe(6);
});

test("the longest run is 0 without an answer", () => {
  expect(findLongestRun([])).toBe(0);
  expect(response(() => null).longestRun).toBe(0);
});

test("spread is null below two answers", () => {
  const one = response((_, index) => (index === 0 ? 7 : null));
  expect(one).toMatchObject({ spread: null });
  const none = response(() => null);
  expect(none).toMatchObject({ spread: null });
  expect(computeSpread([3, 4])).toBeCloseTo(Math.SQRT1_2, 12);
});

test("opposites need 10 cells with both a forward and an inverse statement", () => {
  const upTo = (cells: number) => (question: ScoringQuestion, index: number) =>
    question.inverse && (question.lifeContext === "current" || question.valueId > cells)
      ? null
      : varied(question, index);
  expect(response(upTo(9)).opposites).toBeNull();
  expect(response(upTo(10)).opposites).toBeLessThan(0);
});

test("opposites leave out a cell in which only one kind is answered", () => {
  const onlyInverse = (q: ScoringQuestion, i: number) => (q.valueId < 4 && !q.inverse ? null : varied(q, i));
  const onlyForward = (q: ScoringQuestion, i: number) => (q.valueId < 4 && q.inverse ? null : varied(q, i));
  const neither = (q: ScoringQuestion, i: number) => (q.valueId < 4 ? null : varied(q, i));
  expect(response(onlyInverse).opposites).toBe(response(neither).opposites);
  expect(response(onlyForward).opposites).toBe(response(neither).opposites);
  expect(response(onlyInverse).agreementIdeal).toBe(response(neither).agreementIdeal);
});

test("opposites are null where forward or inverse ratings do not vary between cells", () => {
  expect(response((q, i) => (q.inverse ? 3 : varied(q, i))).opposites).toBeNull();
  expect(response((q, i) => (q.inverse ? varied(q, i) : 3)).opposites).toBeNull();
  // 11/3 is no double, so that a sum of many of them is not exactly a multiple
  expect(response((q, i) => (q.inverse ? varied(q, i) : 3 + (i % 4 === 1 ? 2 : 0))).opposites).toBeNull();
});

describe("consistency", () => {
  const cell = (...points: number[]) => toSample(points);
  const cells = (count: number, size: number) =>
    Array.from({ length: count }, (_cell, i) => cell(...Array.from({ length: size }, (_, j) => (i % 3) + (j % 2))));

  const consistency = (of: Sample[]) => computeConsistency(of, minDf);

  test("consistency needs 10 cells", () => {
    expect(consistency(cells(9, 6))).toBeNull();
    expect(consistency(cells(10, 6))).not.toBeNull();
  });

  test("consistency needs 30 degrees of freedom within cells, and 15 in a short form", () => {
    expect(consistency([...cells(9, 4), cell(5, 6, 6)])).toBeNull();
    expect(consistency(cells(10, 4))).not.toBeNull();
    expect(computeConsistency([...cells(14, 2), cell(5)], minDfShortForm)).toBeNull();
    expect(computeConsistency(cells(15, 2), minDfShortForm)).not.toBeNull();
  });

  test("consistency is null if all means are equal, also if a double cannot hold the mean", () => {
    expect(consistency(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? cell(3, 4, 4) : cell(5, 1, 5))))).toBeNull();
  });

  test("consistency is not below -1", () => {
    expect(consistency(Array.from({ length: 10 }, (_, i) => cell(0, 6, 0, 6, i === 0 ? 1 : 0)))).toBe(-1);
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

  test("seconds for each answer need 3 calls and 20 answers after the first", () => {
    expect(computeSecondsPerAnswer(times({}), 32)).toBe(3);
    expect(computeSecondsPerAnswer(times({ answerCalls: 2 }), 32)).toBeNull();
    expect(computeSecondsPerAnswer(times({}), 31)).toBeNull();
    expect(computeSecondsPerAnswer(null, 152)).toBeNull();
  });

  test("seconds for each answer are null if the clock went back", () => {
    expect(computeSecondsPerAnswer(times({ lastAnswerAt: new Date(4_999) }), 32)).toBeNull();
    expect(computeSecondsPerAnswer(times({ lastAnswerAt: new Date(5_000) }), 32)).toBe(0);
  });
});

test("agreement needs 10 cells in each life, and 10 values in both for the shift", () => {
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

test("agreement has no shift if cells differ in their share of inverse statements", () => {
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
