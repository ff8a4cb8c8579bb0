// Between domain values and protobuf messages, where more than one service needs it.
import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { Answer } from "../../domain/sessions/answers.ts";
import type { SessionState } from "../../domain/sessions/session-state.ts";
import {
  type AssessmentSchema as AssessmentMessage,
  AssessmentSchemaSchema,
  QuestionType,
} from "../../gen/assessment/v1/assessment_pb.ts";
import { type Answer as AnswerMessage, SessionStatus } from "../../gen/assessment/v1/session_service_pb.ts";
import type { Question } from "../../values-bridge/definition/questions.ts";
import { toValuesBridgeConfig } from "../../values-bridge/messages/questions.ts";

/** States of a session in messages. */
export const sessionStatuses: Readonly<Record<SessionState, SessionStatus>> = {
  in_progress: SessionStatus.IN_PROGRESS,
  completed: SessionStatus.COMPLETED,
};
const questionTypes = { likert: QuestionType.LIKERT } as const;
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
export function toAssessmentMessage(assessment: PublishedAssessment): AssessmentMessage {
  const { id, product, version, questions } = assessment;
  return create(AssessmentSchemaSchema, { product, assessmentId: id, version, questions: questions.map(toQuestion) });
}

/** A time as a message. */
export function toTimestamp(date: Date): Timestamp {
  return timestampFromDate(date);
}

function toQuestion({ id, prompt, type, group, position, required, likertConfig, choices, ...question }: Question) {
  return {
    id,
    prompt,
    type: questionTypes[type],
    group,
    position,
    required,
    likertConfig,
    choices: [...choices],
    valuesBridgeConfig: toValuesBridgeConfig(question.valuesBridgeConfig),
  };
}
