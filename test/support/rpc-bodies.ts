// Messages in the shape of the REST interface, written down independently of the gateway.
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { type AssessmentSchema, LifeContext, QuestionType } from "../../src/gen/assessment/v1/assessment_pb.ts";
import type { Event } from "../../src/gen/assessment/v1/event_service_pb.ts";
import type { ValuesBridgeResults } from "../../src/gen/assessment/v1/results_pb.ts";
import {
  type CreateSessionResponse,
  type Session,
  SessionMode,
  SessionStatus,
} from "../../src/gen/assessment/v1/session_service_pb.ts";
import type { AnswerInput, AssessmentBody, CreatedBody, EventBody, ResultsBody, StatusBody } from "./doors.ts";

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

export function toStatusBody(session: Session | undefined): StatusBody {
  if (session === undefined) throw new Error("no session");
  return {
    sessionId: session.sessionId,
    product: session.product,
    status: session.status === SessionStatus.COMPLETED ? "completed" : "in_progress",
    createdAt: toIso(session.createdAt) ?? "",
    completedAt: toIso(session.completedAt),
  };
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
      valuesBridgeConfig:
        valuesBridgeConfig === undefined
          ? null
          : {
              valueId: valuesBridgeConfig.valueId,
              valueName: valuesBridgeConfig.valueName,
              lifeContext: valuesBridgeConfig.lifeContext === LifeContext.IDEAL ? "ideal" : "current",
              inverse: valuesBridgeConfig.inverse,
              omegaWeight: valuesBridgeConfig.omegaWeight,
            },
    };
  });
  return { product, assessmentId, version, questions };
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

export function toEventBody({ id, type, timestamp, sequence, data }: Event): EventBody {
  if (data === undefined) throw new Error("no data");
  const { sessionId, product, assessmentVersion, mode, externalId } = data;
  return {
    id,
    type,
    timestamp: toIso(timestamp) ?? "",
    sequence: String(sequence),
    data: {
      sessionId,
      product,
      ...(assessmentVersion === undefined ? {} : { assessmentVersion }),
      ...(mode === SessionMode.UNSPECIFIED ? {} : { mode: mode === SessionMode.HOSTED ? "hosted" : "headless" }),
      ...(externalId === undefined ? {} : { externalId }),
    },
  };
}
