// Between domain values and protobuf messages, where more than one service needs it.
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import { subjectOf } from "../../domain/identifiers.ts";
import type { Answer } from "../../domain/sessions/answers.ts";
import { progressOf, type SessionProgress } from "../../domain/sessions/progress.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import {
  type AssessmentSchema as AssessmentMessage,
  AssessmentSchemaSchema,
  QuestionType,
} from "../../gen/assessment/v1/assessment_pb.ts";
import {
  type Answer as AnswerMessage,
  SessionMode,
  type SessionProgressSchema,
  type SessionSchema,
  SessionStatus,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import { type Lifecycle, stateOf } from "../../kernel/session-states.ts";
import type { ProductMessages, Question } from "../../products/product.ts";

/** States of a session in messages. */
export const sessionStatuses = byWord(SessionStatus);
const modes = byWord(SessionMode);
const questionTypes = byWord(QuestionType);
const questionTypeNames: Readonly<Record<number, string>> = { [QuestionType.LIKERT]: "likert" };

/** The answers of a request. A response that is missing is one without a type. */
export function toAnswers(answers: readonly AnswerMessage[]): Answer[] {
  return answers.map(({ questionId, response }) => ({
    questionId,
    type: response && questionTypeNames[response.type],
    value: response?.value ?? Number.NaN,
  }));
}

/** One version as a message. */
export function toAssessmentMessage(assessment: PublishedAssessment, messages: ProductMessages): AssessmentMessage {
  const { id, product, version } = assessment;
  const questions = assessment.questions.map((each) => toQuestion(each, messages));
  return create(AssessmentSchemaSchema, { product, assessmentId: id, version, questions });
}

/** How far a session is. @param now milliseconds since 1970 */
export function toSessionMessage(
  product: string,
  session: SessionView & Pick<StoredSession, "id" | "groupId">,
  now: number,
  progress?: MessageInitShape<typeof SessionProgressSchema>,
): MessageInitShape<typeof SessionSchema> {
  return {
    sessionId: session.id,
    product,
    ...toLifecycleMessage(session, now),
    ...toMembership(session),
    progress,
  };
}

/** Whose a session is, and how much of it is answered. */
export function toOwnedProgressMessage(
  session: StoredSession,
  assessment: PublishedAssessment,
): MessageInitShape<typeof SessionProgressSchema> {
  const { partnerId, externalId, mode } = session;
  const progress = toProgressMessage(progressOf(session, assessment));
  return { subject: subjectOf(partnerId, externalId), mode: modes[mode], ...progress };
}

/** How much of a session is answered. */
export function toProgressMessage({ answered, total, lastActivityAt }: SessionProgress) {
  return {
    total,
    answered: answered ?? undefined,
    lastActivityAt: toTimestamp(lastActivityAt),
  };
}

/** The group of a session, if it has one. */
export function toMembership({ groupId }: Pick<StoredSession, "groupId">) {
  return groupId === null ? {} : { groupId };
}

type SessionView = Pick<StoredSession, "createdAt" | "answersDeletedAt" | "resultsDeletedAt"> & Lifecycle;

/** When parts of a session were deleted. */
export function toDeletions({
  answersDeletedAt,
  resultsDeletedAt,
}: Pick<StoredSession, "answersDeletedAt" | "resultsDeletedAt">) {
  return {
    answersDeletedAt: toTimestamp(answersDeletedAt),
    resultsDeletedAt: toTimestamp(resultsDeletedAt),
  };
}

/** State and times of a session. @param now milliseconds since 1970 */
export function toLifecycleMessage(session: SessionView, now: number) {
  const { createdAt, completedAt, cancelledAt, expiresAt, answersDeletedAt, resultsDeletedAt } = session;
  return {
    status: sessionStatuses[stateOf(session, now)],
    createdAt: toTimestamp(createdAt),
    completedAt: toTimestamp(completedAt),
    cancelledAt: toTimestamp(cancelledAt),
    expiresAt: toTimestamp(expiresAt),
    ...toDeletions({ answersDeletedAt, resultsDeletedAt }),
  };
}

/** A time as a message; undefined, which a message leaves out, for none. */
export function toTimestamp(date: Date): Timestamp;
export function toTimestamp(date: Date | null): Timestamp | undefined;
export function toTimestamp(date: Date | null): Timestamp | undefined {
  return date === null ? undefined : timestampFromDate(date);
}

function toQuestion(question: Question, messages: ProductMessages) {
  const { id, prompt, type, group, position, required, likertConfig, choices } = question;
  return {
    id,
    prompt,
    type: questionTypes[type],
    group,
    position,
    required,
    likertConfig,
    choices: [...choices],
    valuesBridgeConfig: messages.questionConfig(question),
  };
}
