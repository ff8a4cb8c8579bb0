// Sessions for scoring tests: questions with answers, made by hand or at random.
import fc from "fast-check";
import type { LifeContext, ScoringQuestion } from "../../../src/products/values-bridge/scoring/model.ts";
import { compileScoring } from "../../../src/products/values-bridge/scoring/score.ts";
import type { Explanation, Results } from "../../../src/products/values-bridge/scoring/shapes.ts";
import { howMany } from "../extent.ts";
import { blockLength, questionCount, questionnaire, toScoringModel, valueCount } from "./scoring-model.ts";

/** `answers` are in the order of `questions`. */
export interface Session {
  readonly questions: readonly ScoringQuestion[];
  readonly answers: readonly (number | null)[];
}

/** Checks that something holds for 1000 random inputs, or for 250. */
export function forAll<T>(inputs: fc.Arbitrary<T>, check: (input: T) => void): void {
  fc.assert(
    fc.property(inputs, (input) => {
      check(input);
    }),
    { numRuns: howMany(1000, 250) },
  );
}

export function scoreOf({ questions, answers }: Session): Results {
  return compileScoring(toScoringModel(questions)).score(answers);
}

export function explanationOf({ questions, answers }: Session): Explanation {
  return compileScoring(toScoringModel(questions)).explain(answers);
}

/** The answer that counts `keyed` points in the direction of the question's value, and the way back. */
function answerFor(question: ScoringQuestion, keyed: number): number {
  return question.inverse ? question.max - keyed : question.min + keyed;
}

/** A session in which each question is answered with the keyed points that `keyed` names, or left out for null. */
export function keyedSession(
  questions: readonly ScoringQuestion[],
  keyed: (question: ScoringQuestion) => number | null,
): Session {
  const answers = questions.map((question) => {
    const points = keyed(question);
    return points === null ? null : answerFor(question, points);
  });
  return { questions, answers };
}

/** Ideal and current answers worth 0..6 points; null leaves the cell's questions out. */
export function lives(ideal: (valueId: number) => number | null, current: (valueId: number) => number | null): Session {
  return keyedSession(questionnaire(), (q) => (q.lifeContext === "ideal" ? ideal(q.valueId) : current(q.valueId)));
}

/** The session with other answers where `change` names one; `undefined` keeps what is there. */
export function withAnswers(
  session: Session,
  change: (question: ScoringQuestion, answer: number | null) => number | null | undefined,
): Session {
  const answers = session.questions.map((question, index) => {
    const answer = session.answers[index] ?? null;
    const changedAnswer = change(question, answer);
    return changedAnswer === undefined ? answer : changedAnswer;
  });
  return { questions: session.questions, answers };
}

export function isIn(question: ScoringQuestion, valueId: number, context: LifeContext): boolean {
  return question.valueId === valueId && question.lifeContext === context;
}

/** Scores of one context by value id, unrounded. */
export function scoresIn(explanation: Explanation, context: LifeContext): Map<number, number | null> {
  return new Map(explanation.values.map((value) => [value.valueId, value[context].score]));
}

const anyValueId: fc.Arbitrary<number> = fc.integer({ min: 1, max: valueCount });

/** A person with one direction on the circle, and lives that differ little from what they want. */
const directedRatings = fc
  .tuple(anyValueId, listOf(fc.integer({ min: -1, max: 1 }), questionCount))
  .map(([peak, noise]) =>
    questionnaire().map((question, i) => {
      const pull = Math.cos((2 * Math.PI * (question.valueId - peak)) / valueCount);
      return answerFor(question, Math.min(6, Math.max(0, 3 + Math.round(3 * pull) + (noise[i] ?? 0))));
    }),
  );

/** Ratings of 1..7: all of them, only extremes (many ties), only the middle (nearly flat), or with one direction. */
const ratings = fc.oneof(
  { arbitrary: listOf(fc.integer({ min: 1, max: 7 }), questionCount), weight: 4 },
  { arbitrary: listOf(fc.constantFrom(1, 7), questionCount), weight: 1 },
  { arbitrary: listOf(fc.integer({ min: 3, max: 5 }), questionCount), weight: 1 },
  { arbitrary: directedRatings, weight: 1 },
);

/** Questions of equal weight, or with weights of up to three decimals. */
const anyQuestions: fc.Arbitrary<ScoringQuestion[]> = fc.oneof(
  fc.constant(questionnaire()),
  listOf(fc.integer({ min: 1, max: 3000 }), blockLength).map((thousandths) =>
    questionnaire({ omegaWeights: thousandths.map((weight) => weight / 1000) }),
  ),
);

/** A session with an answer to every question. */
const completeSession: fc.Arbitrary<Session> = fc.record({ questions: anyQuestions, answers: ratings }).map(legible);

/** A session in which some questions may be unanswered: none, a few, many, or nearly all. */
export const noFilter: fc.Arbitrary<Session> = fc.oneof(
  completeSession,
  fc
    .tuple(completeSession, fc.constantFrom(5, 25, 50, 75, 95), listOf(fc.integer({ min: 0, max: 99 }), questionCount))
    .map(([{ questions, answers }, percent, draws]) =>
      legible({ questions, answers: answers.map((answer, i) => ((draws[i] ?? 0) < percent ? null : answer)) }),
    ),
);

function listOf<T>(element: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> {
  return fc.array(element, { minLength: length, maxLength: length });
}

/** Makes counterexamples short: the 76 weights and the 152 answers, `-` for none. */
function legible(session: Session): Session {
  const weights = session.questions.slice(0, blockLength).map((question) => question.omegaWeight);
  const text = `weights ${weights.join(" ")}; answers ${session.answers.map((answer) => answer ?? "-").join(" ")}`;
  return Object.assign(session, { [fc.toStringMethod]: () => text });
}
