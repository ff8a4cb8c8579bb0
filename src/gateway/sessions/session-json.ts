// Messages as the JSON of the interface: every field present, null if there is no score, dates with milliseconds.
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { type AssessmentSchema, QuestionTypeSchema } from "../../gen/assessment/v1/assessment_pb.ts";
import { type Session, SessionStatusSchema, type Subject } from "../../gen/assessment/v1/session_service_pb.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { toValuesBridgeConfig } from "../../products/values-bridge/json/questions.ts";
import { enumWord } from "../../transport/http/bodies/message-json.ts";

/** RFC 3339 in UTC with milliseconds, or null. */
export function toDateTime(timestamp: Timestamp | undefined): string | null {
  return timestamp === undefined ? null : timestampDate(timestamp).toISOString();
}

/** SessionStatus. What a session was never given is left out: partners that use none of it never see it. */
export function toStatus(session: Session | undefined) {
  if (session === undefined) throw new Refusal("internal", "The service made a mistake.");
  const { sessionId, product, status, createdAt, completedAt, cancelledAt, expiresAt } = session;
  const { answersDeletedAt, resultsDeletedAt } = session;
  return {
    sessionId,
    product,
    status: enumWord(SessionStatusSchema, status),
    createdAt: toDateTime(createdAt),
    completedAt: toDateTime(completedAt),
    ...(cancelledAt === undefined ? {} : { cancelledAt: toDateTime(cancelledAt) }),
    ...(expiresAt === undefined ? {} : { expiresAt: toDateTime(expiresAt) }),
    ...(answersDeletedAt === undefined ? {} : { answersDeletedAt: toDateTime(answersDeletedAt) }),
    ...(resultsDeletedAt === undefined ? {} : { resultsDeletedAt: toDateTime(resultsDeletedAt) }),
  };
}

export function toSubject({ id, externalId, anonymous }: Subject) {
  return { id, externalId, anonymous };
}

/** AssessmentSchema. */
export function toAssessment({ product, assessmentId, version, questions }: AssessmentSchema) {
  return {
    product,
    assessmentId,
    version,
    questions: questions.map(({ likertConfig, valuesBridgeConfig, ...question }) => ({
      id: question.id,
      prompt: question.prompt,
      type: enumWord(QuestionTypeSchema, question.type),
      group: question.group,
      position: question.position,
      required: question.required,
      likertConfig: likertConfig === undefined ? null : { min: likertConfig.min, max: likertConfig.max },
      choices: question.choices.map(({ id, label }) => ({ id, label })),
      valuesBridgeConfig: valuesBridgeConfig === undefined ? null : toValuesBridgeConfig(valuesBridgeConfig),
    })),
  };
}
