// Answers of one session: checked against its assessment, merged and counted; the last answer to a question counts.
import { QuestionType } from "../../gen/assessment/v1/assessment_pb.ts";
import type { Answer as AnswerMessage, AnswerResponse } from "../../gen/assessment/v1/session_service_pb.ts";
import { invalidRequestError } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import type { PublishedAssessment } from "../assessments/published-assessment.ts";
import {
  type AnswerArrivals,
  type EndTimes,
  findEndTime,
  type Ratings,
  type Recording,
  type StoredSession,
} from "./session.ts";

/** An answer as a caller gives it. */
export type Answer = Pick<AnswerMessage, "questionId"> & {
  readonly response?: Pick<AnswerResponse, "type" | "value"> | undefined;
};

const questionTypes = { likert: QuestionType.LIKERT } as const;

/** Violations of answers to the questions of an assessment, in request order. */
export function findAnswerViolations(answers: readonly Answer[], assessment: PublishedAssessment): Violation[] {
  const violations: Violation[] = [];
  answers.forEach(({ questionId, response }, index) => {
    const question = assessment.questionById.get(questionId);
    if (question === undefined) {
      const detail = "No question of this session's assessment has this id.";
      violations.push({ path: ["answers", index, "questionId"], code: "unknown_question", detail });
      return;
    }
    if (response?.type !== questionTypes[question.type]) {
      const detail = `The response type must be that of the question: ${question.type}.`;
      violations.push({ path: ["answers", index, "response", "type"], code: "wrong_type", detail });
    }
    const { min, max } = question.likertConfig;
    const { value = Number.NaN } = response ?? {};
    if (!Number.isInteger(value) || value < min || value > max) {
      const detail = `The value must be an integer from ${min} to ${max}.`;
      violations.push({ path: ["answers", index, "response", "value"], code: "out_of_range", detail });
    }
  });
  return violations;
}

/** The stored ratings overwritten by the given answers, and the number of distinct questions answered. */
export function mergeAnswers(
  storedRatings: Ratings,
  answers: readonly Answer[],
  assessment: PublishedAssessment,
): { ratings: Ratings; recordedCount: number } {
  const ratings = assessment.questions.map((_, index) => storedRatings[index] ?? null);
  const isAnswered = new Array<boolean>(ratings.length).fill(false);
  let recordedCount = 0;
  for (const { questionId, response } of answers) {
    const question = assessment.questionById.get(questionId);
    if (question === undefined || response === undefined)
      throw new RangeError("answers are merged after they were checked");
    const index = question.position - 1;
    ratings[index] = response.value;
    if (!isAnswered[index]) recordedCount += 1;
    isAnswered[index] = true;
  }
  return { ratings, recordedCount };
}

/** Whether merged ratings equal the stored ones. */
export function haveEqualRatings(ratings: Ratings, storedRatings: Ratings): boolean {
  return ratings.every((value, index) => value === (storedRatings[index] ?? null));
}

/** Whether at least one question is answered. */
export function hasAnswer(ratings: Ratings): boolean {
  return ratings.some((value) => value !== null);
}

/** Most ids of unanswered questions in an error. */
const maxListedIds = 100;

/** Throws `invalid_request` with the ids of required questions that have no answer, if there are any. */
export function requireAnswered(ratings: Ratings, { questions }: PublishedAssessment): void {
  const ids = questions.flatMap(({ id, position, required }) =>
    required && (ratings[position - 1] ?? null) === null ? [id] : [],
  );
  if (ids.length === 0) return;
  const [noun, verb] = ids.length === 1 ? ["question", "has"] : ["questions", "have"];
  const detail = `${ids.length} required ${noun} ${verb} no answer, the first of them ${ids[0]}.`;
  const metadata = { unanswered: ids.slice(0, maxListedIds).join(",") };
  throw invalidRequestError([{ path: ["answers"], code: "unanswered", detail }], { metadata });
}

/**
 * The session's answers after a call that changed one.
 * @param call with the number of distinct questions that it answered, 1 or more, and the language of the statements if known
 * @param now milliseconds since 1970, when the call arrived
 */
export function toRecording(
  session: StoredSession,
  call: { readonly ratings: Ratings; readonly recordedCount: number; readonly shownLanguage: string | null },
  now: number,
): Recording {
  const { ratings, recordedCount, shownLanguage } = call;
  const isFirst = !hasAnswer(session.answers);
  const { arrivals } = session;
  // Copied ratings came without a call.
  const isFirstCall = isFirst || arrivals?.answerCalls === 0;
  return {
    answers: ratings,
    arrivals: isFirstCall
      ? startArrivals(now, recordedCount + (arrivals?.firstCallAnswers ?? 0))
      : arrivals && { ...arrivals, lastAnswerAt: new Date(now), answerCalls: arrivals.answerCalls + 1 },
    shownLanguage: isFirst || shownLanguage === session.shownLanguage ? shownLanguage : null,
  };
}

function startArrivals(now: number, answerCount: number): AnswerArrivals {
  const at = new Date(now);
  return { firstAnswerAt: at, lastAnswerAt: at, answerCalls: 1, firstCallAnswers: answerCount };
}

/** The ratings of another form of the same version, recorded now without a call, in the language in which they were given. */
export function copyRatings(
  { session, assessment }: { readonly session: StoredSession; readonly assessment: PublishedAssessment },
  longForm: PublishedAssessment,
  now: number,
): Recording {
  const ratings = mapRatingsByStatement(session, assessment);
  return {
    answers: longForm.questions.map((question) => ratings.get(toStatementKey(question)) ?? null),
    arrivals: { ...startArrivals(now, ratings.size), answerCalls: 0 },
    shownLanguage: session.shownLanguage,
  };
}

/** Ratings by the names of their statements. */
export function mapRatingsByStatement(
  { answers }: Pick<StoredSession, "answers">,
  { questions }: Pick<PublishedAssessment, "questions">,
): ReadonlyMap<string, number> {
  const ratings = new Map<string, number>();
  for (const question of questions) {
    const rating = answers[question.position - 1] ?? null;
    if (rating !== null) ratings.set(toStatementKey(question), rating);
  }
  return ratings;
}

/** A key of a statement, the same in every form and version that asks it. */
export function toStatementKey({ predicate, valuesBridgeConfig }: PublishedAssessment["questions"][number]): string {
  const { valueId, lifeContext } = valuesBridgeConfig;
  return `${lifeContext} ${valueId} ${predicate}`;
}

/** One entry for each question of the version, in its order; null if unanswered. */
export function listRatingsByPosition(
  { answers }: Pick<StoredSession, "answers">,
  { questions }: Pick<PublishedAssessment, "questions">,
): Ratings {
  return answers.length === questions.length ? answers : questions.map((_, index) => answers[index] ?? null);
}

/** The fields that the progress of a session is computed from. */
export type ProgressSource = EndTimes & Pick<StoredSession, "answers" | "answersDeletedAt" | "arrivals" | "createdAt">;

/** The progress of a session, from fields that are read anyway; `answered` is null once the answers are deleted. */
export function computeProgress(session: ProgressSource, { questions }: Pick<PublishedAssessment, "questions">) {
  const { answers, answersDeletedAt, arrivals, createdAt } = session;
  const answerCount = answersDeletedAt === null ? answers.filter((rating) => rating !== null).length : null;
  const lastActivityAt = findEndTime(session) ?? arrivals?.lastAnswerAt ?? createdAt;
  return { answered: answerCount, total: questions.length, lastActivityAt };
}
