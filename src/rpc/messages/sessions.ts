// Between domain values and protobuf messages, where more than one service needs it.
import { create } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PublishedAssessment } from "../../domain/assessments/published-assessment.ts";
import type { Answer } from "../../domain/sessions/answers.ts";
import {
  type AssessmentSchema as AssessmentMessage,
  AssessmentSchemaSchema,
  LifeContext,
  QuestionType,
} from "../../gen/assessment/v1/assessment_pb.ts";
import type { ValuesBridgeResults } from "../../gen/assessment/v1/results_pb.ts";
import type { Answer as AnswerMessage } from "../../gen/assessment/v1/session_service_pb.ts";
import type { Question } from "../../values-bridge/definition/questions.ts";
import type { Results } from "../../values-bridge/scoring/results.ts";

const questionTypes = { likert: QuestionType.LIKERT } as const;
const questionTypeNames: Readonly<Record<number, string>> = { [QuestionType.LIKERT]: "likert" };
/** Life contexts of the domain in messages. */
export const lifeContexts = { ideal: LifeContext.IDEAL, current: LifeContext.CURRENT } as const;

/** The answers of a request. A response that is missing is one without a type. */
export function toAnswers(answers: readonly AnswerMessage[]): Answer[] {
  return answers.map(({ questionId, response }) => ({
    questionId,
    type: response && questionTypeNames[response.type],
    value: response?.value ?? Number.NaN,
  }));
}

/**
 * Results. Null means "no score" in the domain and in JSON; in a message that is an absent field. Written out with its
 * type names: creating each of the 97 messages through its schema took ten times as long.
 */
export function toResultsMessage({ overall, values, pairings }: Results): ValuesBridgeResults {
  return {
    $typeName: "assessment.v1.ValuesBridgeResults",
    overall: {
      $typeName: "assessment.v1.OverallResult",
      archetypeId: overall.archetypeId,
      totalAuthenticityGapScaled: overall.totalAuthenticityGapScaled ?? undefined,
      totalConflictScoreScaled: overall.totalConflictScoreScaled ?? undefined,
      totalHarmonyScoreScaled: overall.totalHarmonyScoreScaled ?? undefined,
    },
    values: values.map((value) => ({
      $typeName: "assessment.v1.ValueResult",
      valueId: value.valueId,
      idealDisplayRank: value.idealDisplayRank ?? undefined,
      idealRankTier: value.idealRankTier,
      currentDisplayRank: value.currentDisplayRank ?? undefined,
      currentRankTier: value.currentRankTier,
      authenticityGapScaled: value.authenticityGapScaled ?? undefined,
    })),
    pairings: pairings.map(({ valuePairingId, scaledScore }) => ({
      $typeName: "assessment.v1.PairingResult",
      valuePairingId,
      scaledScore: scaledScore ?? undefined,
    })),
  };
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

function toQuestion({ valueId, valueName, lifeContext, inverse, omegaWeight, ...question }: Question) {
  return {
    ...question,
    type: questionTypes[question.type],
    choices: [...question.choices],
    valuesBridgeConfig: { valueId, valueName, lifeContext: lifeContexts[lifeContext], inverse, omegaWeight },
  };
}
