// Messages as the JSON of the interface: every field present, null where there is no score, dates with milliseconds.
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { type AssessmentSchema, QuestionType } from "../../gen/assessment/v1/assessment_pb.ts";
import { SessionMode, SessionStatus, type Subject } from "../../gen/assessment/v1/session_service_pb.ts";
import { toValuesBridgeConfig } from "../../values-bridge/json/questions.ts";

export const modes = { [SessionMode.HEADLESS]: "headless", [SessionMode.HOSTED]: "hosted" } as const;

export const statuses = { [SessionStatus.IN_PROGRESS]: "in_progress", [SessionStatus.COMPLETED]: "completed" } as const;

const questionTypes: Readonly<Record<number, string>> = { [QuestionType.LIKERT]: "likert" };

/** RFC 3339 in UTC with milliseconds, or null. */
export function toDateTime(timestamp: Timestamp | undefined): string | null {
  return timestamp === undefined ? null : timestampDate(timestamp).toISOString();
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
      type: questionTypes[question.type],
      group: question.group,
      position: question.position,
      required: question.required,
      likertConfig: likertConfig === undefined ? null : { min: likertConfig.min, max: likertConfig.max },
      choices: question.choices.map(({ id, label }) => ({ id, label })),
      valuesBridgeConfig: valuesBridgeConfig === undefined ? null : toValuesBridgeConfig(valuesBridgeConfig),
    })),
  };
}
