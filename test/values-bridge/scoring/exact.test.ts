// Scoring in floating point against the same model in rational arithmetic (property 16), and against the worked cases.
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";
import { exactResults } from "../../support/values-bridge/exact-results.ts";
import { questionCount, questionnaire, toScoringModel } from "../../support/values-bridge/scoring-model.ts";
import { explanationOf, forAll, noFilter, type Session, scoreOf } from "../../support/values-bridge/sessions.ts";
import { readVectors } from "./vectors.ts";

/** Any session, on one of several scales. */
const anyScale: fc.Arbitrary<Session> = fc
  .tuple(noFilter, fc.constantFrom({ min: 1, max: 7 }, { min: 0, max: 4 }, { min: 1, max: 5 }, { min: 0, max: 10 }))
  .map(([{ questions, answers }, { min, max }]) => {
    const omegaWeights = questions.map((question) => question.omegaWeight);
    const rescaled = answers.map((answer) => (answer === null ? null : min + ((answer * answer) % (max - min + 1))));
    return { questions: questionnaire({ min, max, omegaWeights }), answers: rescaled };
  });

/** Every number in a structure of plain data. */
function numbersIn(data: unknown): number[] {
  if (typeof data === "number") return [data];
  return typeof data === "object" && data !== null ? Object.values(data).flatMap(numbersIn) : [];
}

const vectors = readVectors();

test.each(vectors)("$name has the expected results to the last decimal", ({ session, expected }) => {
  expect(scoreOf(session)).toStrictEqual(expected);
  expect(JSON.stringify(scoreOf(session))).toBe(JSON.stringify(expected));
});

test.each(vectors)("$name has the results of rational arithmetic", ({ session, expected }) => {
  expect(exactResults(session)).toStrictEqual(expected);
});

test("floating point gives the results of rational arithmetic", () => {
  forAll(noFilter, (session) => expect(scoreOf(session)).toStrictEqual(exactResults(session)));
});

test("floating point gives the results of rational arithmetic on other scales", () => {
  forAll(anyScale, (session) => expect(scoreOf(session)).toStrictEqual(exactResults(session)));
});

test("results do not depend on the order of questions and answers, or on earlier calls of the scorer", () => {
  const order = fc.shuffledSubarray([...questionnaire().keys()], { minLength: questionCount });
  forAll(fc.tuple(noFilter, order), ([session, positions]) => {
    const questions = positions.flatMap((i) => session.questions.slice(i, i + 1));
    const answers = positions.map((i) => session.answers[i] ?? null);
    const scorer = compileScoring(toScoringModel(questions));
    scorer.score(answers.map((answer) => (answer === 1 ? null : 1)));
    expect(scorer.score(answers)).toStrictEqual(exactResults(session));
  });
});

test("results and explanations have no negative zero and no number that JSON cannot hold", () => {
  forAll(noFilter, (session) => {
    const numbers = numbersIn([scoreOf(session), explanationOf(session)]);
    expect(numbers.filter((number) => !Number.isFinite(number) || Object.is(number, -0))).toEqual([]);
  });
});

test("numerators and denominators of scores are exact integers", () => {
  forAll(noFilter, (session) => {
    for (const { ideal, current } of explanationOf(session).values) {
      for (const term of [ideal.numerator, ideal.denominator, current.numerator, current.denominator]) {
        expect(Number.isSafeInteger(term)).toBe(true);
      }
    }
  });
});
