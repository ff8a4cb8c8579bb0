// Messages of sessions and assessments that more than one service gives.
import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { StoredSession } from "../../domain/sessions/session.ts";
import {
  type AssessmentSchema as AssessmentMessage,
  AssessmentSchemaSchema,
  QuestionType,
} from "../../gen/assessment/v1/assessment_pb.ts";
import { type Session, type SessionProgress, SessionSchema } from "../../gen/assessment/v1/session_service_pb.ts";
import { byWord } from "../../kernel/json/members.ts";
import { type ModelOf, messageOf } from "../../kernel/json/message-of.ts";
import { stateOf } from "../../kernel/session-states.ts";
import type { ProductMessages, Question, Wording } from "../../products/product.ts";

const questionTypes = byWord(QuestionType);

/** One version in one language, as a message. */
export function toAssessmentMessage(
  { id, product, version }: PublishedAssessment,
  wording: Wording,
  messages: ProductMessages,
): AssessmentMessage {
  const questions = wording.questions.map((each) => toQuestion(each, messages));
  const { language } = wording;
  const values = messages.namedValues(wording);
  return create(AssessmentSchemaSchema, { product, assessmentId: id, version, language, questions, values });
}

const toSession = messageOf(SessionSchema);

/** How far a session is. @param now milliseconds since 1970 */
export function toSessionMessage(
  session: StoredSession,
  now: number,
  { product, progress }: { readonly product: string; readonly progress?: ModelOf<SessionProgress> | undefined },
): Session {
  return toSession({ ...session, sessionId: session.id, product, status: stateOf(session, now), progress });
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
