// Scoring in floating point against the same model in rational arithmetic (property 16), and against the worked cases.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { questionnaire } from "../../../support/values-bridge/scoring-model.ts";
import {
  anySession,
  explanationOf,
  forAll,
  patience,
  type Session,
  scoreOf,
} from "../../../support/values-bridge/sessions.ts";
import { readVectors } from "../vectors.ts";
import { exactResults } from "./exact.ts";

/** Any session, on one of several scales. */
const anyScale: fc.Arbitrary<Session> = fc
  .tuple(anySession, fc.constantFrom({ min: 1, max: 7 }, { min: 0, max: 4 }, { min: 1, max: 5 }, { min: 0, max: 10 }))
  .map(([{ questions, answers }, { min, max }]) => {
    const omegaWeights = questions.map((question) => question.omegaWeight);
    const rescaled = answers.map((answer) => (answer === null ? null : min + ((answer * answer) % (max - min + 1))));
    return { questions: questionnaire({ min, max, omegaWeights }), answers: rescaled };
  });

describe("worked cases", () => {
  const vectors = readVectors();

  test("are six", () => expect(vectors.map(({ name }) => name)).toEqual(["v00", "v01", "v02", "v03", "v04", "v05"]));

  test.each(vectors)("$name is met to the last decimal", ({ session, expected }) => {
    expect(scoreOf(session)).toStrictEqual(expected);
    expect(JSON.stringify(scoreOf(session))).toBe(JSON.stringify(expected));
  });

  test.each(vectors)("$name is what rational arithmetic gives", ({ session, expected }) => {
    expect(exactResults(session)).toStrictEqual(expected);
  });
});

describe("floating point", patience, () => {
  test("gives the results of rational arithmetic", () => {
    forAll(anySession, (session) => expect(scoreOf(session)).toStrictEqual(exactResults(session)));
  });

  test("gives the results of rational arithmetic on other scales", () => {
    forAll(anyScale, (session) => expect(scoreOf(session)).toStrictEqual(exactResults(session)));
  });

  test("has exact integers as numerators and denominators of scores", () => {
    forAll(anySession, (session) => {
      for (const { ideal, current } of explanationOf(session).values) {
        for (const term of [ideal.numerator, ideal.denominator, current.numerator, current.denominator]) {
          expect(Number.isSafeInteger(term)).toBe(true);
        }
      }
    });
  });
});
