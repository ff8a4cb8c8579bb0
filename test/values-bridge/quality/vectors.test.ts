// Every worked case of response quality, the error of one session, and change.
import { describe, expect, test } from "vitest";
import { toShortForm } from "../../../src/products/values-bridge/definition/forms.ts";
import { compareSessions } from "../../../src/products/values-bridge/quality/change.ts";
import {
  computeStandardError,
  findCriticalValue,
  poolDeviations,
  toSample,
} from "../../../src/products/values-bridge/quality/statistics.ts";
import type { Answers } from "../../../src/products/values-bridge/scoring/cells.ts";
import { assessorOf, builtIn, scorerOf } from "./models.ts";
import { differences, vector } from "./vectors.ts";
import { toldSpeed, workedSessions, workedShortSessions, workedTimes, wrongInChange } from "./worked-sessions.ts";

const assessor = assessorOf(builtIn);

test("P01: critical values", () => {
  const { input, expected } = vector<number[], number[]>("P01");
  expect(differences(expected, input.map(findCriticalValue))).toEqual([]);
});

test("P03: standard error of a score", () => {
  interface Expected {
    readonly df: number;
    readonly variance: number;
    readonly standardErrors: readonly number[];
  }
  const { input, expected } = vector<{ y: number[]; w: number[] }[], Expected>("P03");
  const { df, squaredDeviations } = poolDeviations(input.map(({ y }) => toSample(y)));
  const variance = squaredDeviations / df;
  const standardErrors = input.map(({ w }) => {
    const { sum: weight, squares: squaredWeight } = toSample(w);
    return computeStandardError(variance, 6, { weight, squaredWeight });
  });
  expect(differences(expected, { df, variance, standardErrors })).toEqual([]);
});

describe.each([
  { form: "long", definition: builtIn, sessions: workedSessions },
  { form: "short", definition: toShortForm(builtIn) ?? builtIn, sessions: workedShortSessions },
])("sessions of the $form form", ({ definition, sessions }) => {
  test.each(sessions)("$name: results and quality", ({ answers, wrongIn }) => {
    // By each test: what runs while tests are collected counts for none of them where mutants are looked for.
    const quality = assessorOf(definition).assess(answers, null);
    expect(wrongIn({ results: scorerOf(definition).score(answers), quality })).toEqual([]);
    expect(assessorOf(definition).judge(answers, null)).toStrictEqual(quality.response);
  });
});

test("P10: seconds for each answer, and the flags they raise", () => {
  const { answers } = vector<{ answers: Answers }, unknown>("P04").input;
  for (const { calls, firstCount, firstMs, lastMs, expected } of workedTimes) {
    const times = {
      firstAnswerAt: new Date(firstMs),
      lastAnswerAt: new Date(lastMs),
      answerCalls: calls,
      firstCallAnswers: firstCount,
    };
    expect(toldSpeed(assessor.assess(answers, times))).toEqual(expected);
  }
});

test("P11: change between two sessions", () => {
  const { first, second } = vector<{ first: Answers; second: Answers }, unknown>("P11").input;
  const sessionOf = (answers: Answers) => ({ assessor, answers, times: null });
  expect(wrongInChange({ ...compareSessions(sessionOf(first), sessionOf(second)) })).toEqual([]);
});
