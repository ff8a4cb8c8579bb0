// Answers are checked against the session's assessment and merged; the last one to a question counts.
import { describe, expect, test } from "vitest";
import {
  type Answer,
  computeProgress,
  findAnswerViolations,
  haveEqualRatings,
  mergeAnswers,
  type ProgressSource,
  requireAnswered,
  toRecording,
} from "../../../src/domain/sessions/answers.ts";
import type { StoredSession } from "../../../src/domain/sessions/session.ts";
import { QuestionType } from "../../../src/gen/assessment/v1/assessment_pb.ts";
import { Refusal } from "../../../src/kernel/errors/refusal.ts";
import { toStoredSession } from "../../../src/store/sessions/session-columns.ts";
import { at, someArrivals, someAssessment, someSession } from "../../support/builders.ts";
import { openStored } from "../../support/values-bridge/opened.ts";
import { builtIn } from "../../values-bridge/quality/models.ts";

// 20 questions with the ids 7001 to 7020, ratings from 1 to 5.
const assessment = openStored(someAssessment({ id: 7 }));

const questionCount = assessment.questions.length;
const unknownType = 99 as QuestionType;

function answer(position: number, value: number, type: QuestionType = QuestionType.LIKERT): Answer {
  return { questionId: 7000 + position, response: { type, value } };
}

/** The faults as `path code`. */
function faultsOf(answers: readonly Answer[]): string[] {
  return findAnswerViolations(answers, assessment).map(({ path, code }) => `${path.join(".")} ${code}`);
}

test("violations come in the order of the request, each with the path to what is wrong", () => {
  const answers = [
    answer(1, 3),
    answer(2, 6),
    answer(0, 3),
    answer(3, 0, unknownType),
    { questionId: 7004, response: undefined },
    answer(questionCount + 1, 99, unknownType),
  ];
  expect(faultsOf(answers)).toEqual([
    "answers.1.response.value out_of_range",
    "answers.2.questionId unknown_question",
    "answers.3.response.type wrong_type",
    "answers.3.response.value out_of_range",
    "answers.4.response.type wrong_type",
    "answers.4.response.value out_of_range",
    "answers.5.questionId unknown_question",
  ]);
});

test("an answer is written at its question's position, and all others stay as they were", () => {
  const { ratings, recordedCount } = mergeAnswers([1, null, 2], [answer(2, 5), answer(questionCount, 4)], assessment);
  expect(ratings).toEqual([1, 5, 2, ...Array(questionCount - 4).fill(null), 4]);
  expect(recordedCount).toBe(2);
});

describe("stored answers", () => {
  const stored = [3, null, 5];

  test.each([
    ["none", [], true],
    ["all that are", [answer(3, 5), answer(1, 3)], true],
    ["one with another value", [answer(1, 4)], false],
    ["one beyond what is stored", [answer(4, 3)], false],
    ["another value that is corrected in the same request", [answer(1, 4), answer(1, 3)], true],
    ["the stored value that is changed in the same request", [answer(1, 3), answer(1, 4)], false],
  ])("%s: %j is %s", (_, answers, expected) => {
    expect(haveEqualRatings(mergeAnswers(stored, answers, assessment).ratings, stored)).toBe(expected);
  });
});

const whole = openStored(someAssessment({ definition: builtIn, product: builtIn.product }));
const refusalOf = (ratings: readonly (number | null)[], of = whole) => {
  try {
    requireAnswered(ratings, of);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};
const answered = (count: number) => whole.questions.map((_, index) => (index < count ? 3 : null));

test("a refusal lists the ids of the missing answers, a hundred at most, in the order of asking", () => {
  const listUnanswered = (count: number) => refusalOf(answered(count))?.metadata.unanswered?.split(",").map(Number);
  const ids = whole.questions.map(({ id }) => id);
  expect(listUnanswered(0)).toEqual(ids.slice(0, 100));
  expect(listUnanswered(52)).toEqual(ids.slice(52));
  expect(listUnanswered(53)).toEqual(ids.slice(53));
  expect(listUnanswered(151)).toEqual(ids.slice(151));
  expect(refusalOf(answered(152))).toBeUndefined();
});

test("questions that a person may leave out are not missing", () => {
  const questions = whole.questions.map((question) => ({ ...question, required: question.position > 2 }));
  const refused = refusalOf(answered(0), { ...whole, questions });
  expect(refused?.metadata.unanswered?.split(",").map(Number)).toEqual(questions.slice(2, 102).map(({ id }) => id));
});

test("a refusal counts the missing answers and names the first", () => {
  const [first = { id: 0 }] = whole.questions;
  const last = whole.questions.at(-1)?.id;
  const details = [0, 151].map((count) => refusalOf(answered(count))?.violations.map(({ detail }) => detail));
  expect(details).toEqual([
    [`152 required questions have no answer, the first of them ${first.id}.`],
    [`1 required question has no answer, the first of them ${last}.`],
  ]);
});

const fresh = { answers: [], answersDeletedAt: null, arrivals: null, createdAt: at(0), completedAt: null };
const arrivals = { ...someArrivals(at(1)), lastAnswerAt: at(2) };

test.each<[string, Partial<ProgressSource>, Date]>([
  ["created", {}, at(0)],
  ["answered", { answers: [3], arrivals }, at(2)],
  ["completed", { answers: [3], arrivals, completedAt: at(3) }, at(3)],
  ["cancelled", { answers: [3], arrivals, cancelledAt: at(4) }, at(4)],
])("the last thing that happened to a session is that it was %s", (_, changes, expected) => {
  const progress = computeProgress({ ...fresh, cancelledAt: null, ...changes }, openStored(someAssessment()));
  expect(progress.lastActivityAt).toEqual(expected);
});

const stored = toStoredSession(someSession());

/** The session after calls that answer one more question each, at these times and in these languages. */
function after(calls: readonly (readonly [ms: number, language: string | null])[]): StoredSession {
  let session = stored;
  for (const [place, [ms, shownLanguage]] of calls.entries()) {
    const ratings = [...session.answers, 3];
    const recording = toRecording(session, { ratings, recordedCount: place + 1, shownLanguage }, at(ms).getTime());
    session = { ...session, ...recording, revision: session.revision + 1 };
  }
  return session;
}

test("the time of answering begins with the first call: ratings that were taken over came without one", () => {
  const arrivalsTakenOver = { ...someArrivals(at(0)), answerCalls: 0, firstCallAnswers: 76 };
  const takenOver = { ...stored, answers: [3], arrivals: arrivalsTakenOver };
  const recording = toRecording(takenOver, { ratings: [3, 4], recordedCount: 5, shownLanguage: null }, at(9).getTime());
  const first = { firstAnswerAt: at(9), lastAnswerAt: at(9), answerCalls: 1, firstCallAnswers: 81 };
  expect(recording.arrivals).toEqual(first);
});

test("the language is known if it was the same in every call", () => {
  const language = (...languages: (string | null)[]) =>
    after(languages.map((each, place) => [place, each])).shownLanguage;
  expect(language("de", "de", "de")).toBe("de");
  expect(language("de", "en")).toBeNull();
  expect(language("de", "en", "de")).toBeNull();
  expect(language(null, "de")).toBeNull();
  expect(language("de", null)).toBeNull();
});
