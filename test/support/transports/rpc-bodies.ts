// Messages in the shape of the REST interface, written down independently of the gateway.
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
  type AssessmentSchema,
  LifeContext,
  QuestionType,
  type ValuesBridgeConfig,
} from "../../../src/gen/assessment/v1/assessment_pb.ts";
import type { AuditRecord } from "../../../src/gen/assessment/v1/audit_service_pb.ts";
import type { Event } from "../../../src/gen/assessment/v1/event_service_pb.ts";
import type { ExportedSession, GetCodebookResponse } from "../../../src/gen/assessment/v1/export_service_pb.ts";
import { Grade } from "../../../src/gen/assessment/v1/quality_pb.ts";
import type { ValuesBridgeResults } from "../../../src/gen/assessment/v1/results_pb.ts";
import type { TestClock } from "../../../src/gen/assessment/v1/sandbox_service_pb.ts";
import {
  type CreateSessionResponse,
  type Session,
  SessionMode,
  type SessionProgress,
  SessionStatus,
} from "../../../src/gen/assessment/v1/session_service_pb.ts";
import type {
  AnswerInput,
  AssessmentBody,
  AuditRecordBody,
  CodebookBody,
  CreatedBody,
  EventBody,
  ExportedBody,
  ResultsBody,
  StatusBody,
  TestClockBody,
} from "./transports.ts";

export function toAnswerMessages(answers: readonly AnswerInput[]) {
  return answers.map(({ questionId, response: { type, value } }) => ({
    questionId,
    response: { type: type === "likert" ? QuestionType.LIKERT : QuestionType.UNSPECIFIED, value },
  }));
}

export function toIso(timestamp: Timestamp | undefined): string | null {
  return timestamp === undefined ? null : timestampDate(timestamp).toISOString();
}

export function toCreatedBody({ sessionId, mode, subject, variant }: CreateSessionResponse): CreatedBody {
  if (subject === undefined) throw new Error("no subject");
  const { id, externalId, anonymous } = subject;
  const modeName = mode === SessionMode.HOSTED ? "hosted" : "headless";
  const head = { sessionId, mode: modeName, subject: { id, externalId, anonymous } };
  if (variant.case === "hosted") {
    return { ...head, hostedUrl: variant.value.hostedUrl, expiresAt: toIso(variant.value.expiresAt) ?? "" };
  }
  return { ...head, assessment: toAssessmentBody(variant.value?.assessment) };
}

const lifeWords: Readonly<Record<number, string>> = {
  [LifeContext.IDEAL]: "ideal",
  [LifeContext.CURRENT]: "current",
};

const gradeWords: Readonly<Record<number, string>> = {
  [Grade.GOOD]: "good",
  [Grade.CAUTION]: "caution",
  [Grade.FAIL]: "fail",
  [Grade.UNKNOWN]: "unknown",
};

export const statusWords: Readonly<Record<number, string>> = {
  [SessionStatus.IN_PROGRESS]: "in_progress",
  [SessionStatus.COMPLETED]: "completed",
  [SessionStatus.CANCELLED]: "cancelled",
  [SessionStatus.EXPIRED]: "expired",
};

/** The member of a request that says when a session expires. */
export function toExpiry(expiresAt: string | undefined) {
  return expiresAt === undefined ? {} : { expiresAt: timestampFromDate(new Date(expiresAt)) };
}

export function toStatusBody(session: Session | undefined): StatusBody {
  if (session === undefined) throw new Error("no session");
  return {
    sessionId: session.sessionId,
    product: session.product,
    status: statusWords[session.status] ?? "unknown",
    createdAt: toIso(session.createdAt) ?? "",
    completedAt: toIso(session.completedAt),
    ...(session.cancelledAt === undefined ? {} : { cancelledAt: toIso(session.cancelledAt) ?? "" }),
    ...(session.expiresAt === undefined ? {} : { expiresAt: toIso(session.expiresAt) ?? "" }),
    ...(session.answersDeletedAt === undefined ? {} : { answersDeletedAt: toIso(session.answersDeletedAt) ?? "" }),
    ...(session.resultsDeletedAt === undefined ? {} : { resultsDeletedAt: toIso(session.resultsDeletedAt) ?? "" }),
    ...(session.groupId === undefined ? {} : { groupId: session.groupId }),
    ...(session.progress === undefined ? {} : { progress: toOwnedProgressBody(session.progress) }),
  };
}

function toOwnedProgressBody({ subject, mode, ...progress }: SessionProgress) {
  if (subject === undefined) throw new Error("no subject");
  const { id, externalId, anonymous } = subject;
  return {
    subject: { id, externalId, anonymous },
    mode: mode === SessionMode.HOSTED ? "hosted" : "headless",
    ...toProgressBody(progress),
  };
}

export function toProgressBody({
  answered,
  total,
  lastActivityAt,
}: Pick<SessionProgress, "answered" | "total" | "lastActivityAt">) {
  return { answered: answered ?? null, total, lastActivityAt: toIso(lastActivityAt) };
}

export function toAssessmentBody(assessment: AssessmentSchema | undefined): AssessmentBody {
  if (assessment === undefined) throw new Error("no assessment");
  const { product, assessmentId, version } = assessment;
  const questions = assessment.questions.map((question) => {
    const { id, prompt, group, position, required, likertConfig, valuesBridgeConfig } = question;
    return {
      id,
      prompt,
      type: question.type === QuestionType.LIKERT ? "likert" : "unknown",
      group,
      position,
      required,
      likertConfig: likertConfig === undefined ? null : { min: likertConfig.min, max: likertConfig.max },
      choices: question.choices.map((choice) => ({ id: choice.id, label: choice.label })),
      valuesBridgeConfig: valuesBridgeConfig === undefined ? null : toConfigBody(valuesBridgeConfig),
    };
  });
  return { product, assessmentId, version, questions };
}

function toConfigBody({ valueId, valueName, lifeContext, inverse, omegaWeight }: ValuesBridgeConfig) {
  return { valueId, valueName, lifeContext: lifeWords[lifeContext] ?? "unknown", inverse, omegaWeight };
}

export function toResultsBody(results: ValuesBridgeResults | undefined): ResultsBody | null {
  if (results === undefined) return null;
  const { overall } = results;
  return {
    overall: {
      archetypeId: overall?.archetypeId ?? null,
      totalAuthenticityGapScaled: overall?.totalAuthenticityGapScaled ?? null,
      totalConflictScoreScaled: overall?.totalConflictScoreScaled ?? null,
      totalHarmonyScoreScaled: overall?.totalHarmonyScoreScaled ?? null,
    },
    values: results.values.map((value) => ({
      valueId: value.valueId,
      idealDisplayRank: value.idealDisplayRank ?? null,
      idealRankTier: value.idealRankTier,
      currentDisplayRank: value.currentDisplayRank ?? null,
      currentRankTier: value.currentRankTier,
      authenticityGapScaled: value.authenticityGapScaled ?? null,
    })),
    pairings: results.pairings.map(({ valuePairingId, scaledScore }) => ({
      valuePairingId,
      scaledScore: scaledScore ?? null,
    })),
  };
}

export function toAuditRecordBody(record: AuditRecord): AuditRecordBody {
  const { at, action, outcome, clientId, sessionId, targetId, requestId, writer, sequence, hash } = record;
  const about = { clientId: clientId ?? null, sessionId: sessionId ?? null, targetId: targetId ?? null };
  return { at: toIso(at) ?? "", action, outcome, ...about, requestId, writer, sequence: String(sequence), hash };
}

export function toExportedBody(session: ExportedSession): ExportedBody {
  const { sessionId, externalId, mode, status, assessmentVersion, createdAt, completedAt, answers, results } = session;
  return {
    sessionId,
    externalId,
    mode: mode === SessionMode.HOSTED ? "hosted" : "headless",
    status: statusWords[status] ?? "unknown",
    assessmentVersion,
    createdAt: toIso(createdAt) ?? "",
    completedAt: toIso(completedAt),
    answersDeletedAt: toIso(session.answersDeletedAt),
    resultsDeletedAt: toIso(session.resultsDeletedAt),
    shownLanguage: session.shownLanguage ?? null,
    firstLifeContext: lifeWords[session.firstLifeContext] ?? "unknown",
    attempt: session.attempt ?? null,
    grade: session.grade === undefined ? null : (gradeWords[session.grade] ?? "unspecified"),
    secondsPerAnswer: session.secondsPerAnswer ?? null,
    ...(session.groupId === undefined ? {} : { groupId: session.groupId }),
    answers: answers.map(({ questionId, value }) => ({ questionId, value })),
    results: toResultsBody(results),
  };
}

export function toCodebookBody({ product, version, columns }: GetCodebookResponse): CodebookBody {
  return {
    product,
    version,
    columns: columns.map(({ name, label, type, minimum, maximum, values, source, ...ofAnswer }) => ({
      name,
      label,
      type,
      minimum: minimum ?? null,
      maximum: maximum ?? null,
      values: values.map(({ value, label: meaning }) => ({ value, label: meaning })),
      valuesBridgeConfig: ofAnswer.valuesBridgeConfig === undefined ? null : toConfigBody(ofAnswer.valuesBridgeConfig),
      statementNumber: ofAnswer.statementNumber ?? null,
      source,
    })),
  };
}

export function toEventBody({ id, type, timestamp, sequence, data }: Event): EventBody {
  if (data === undefined) throw new Error("no data");
  const { sessionId, groupId, product, assessmentVersion, mode, externalId, test } = data;
  return {
    id,
    type,
    timestamp: toIso(timestamp) ?? "",
    sequence: String(sequence),
    data: {
      ...(groupId === "" ? { sessionId } : { groupId }),
      product,
      ...(assessmentVersion === undefined ? {} : { assessmentVersion }),
      ...(mode === SessionMode.UNSPECIFIED ? {} : { mode: mode === SessionMode.HOSTED ? "hosted" : "headless" }),
      ...(externalId === undefined ? {} : { externalId }),
      ...(test ? { test } : {}),
    } as EventBody["data"],
  };
}

/** The clock of a test twin. */
export function toTestClockBody(clock: TestClock | undefined): TestClockBody {
  return { now: toIso(clock?.now) ?? "", aheadSeconds: clock?.aheadSeconds ?? 0 };
}
