// Results as a message, and as its bytes, which the store keeps.
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type OverallResult as OverallMessage,
  type ValuesBridgeResults,
  ValuesBridgeResultsSchema,
} from "../../../gen/assessment/v1/results_pb.ts";
import type { OverallResult, Results } from "../scoring/score.ts";

/**
 * Results. Null means "no score" in the domain and in JSON; in a message that is an absent field. Written out with its
 * type names: creating each of the 97 messages through its schema took ten times as long.
 */
export function toResultsMessage({ overall, values, pairings }: Results): ValuesBridgeResults {
  return {
    $typeName: "assessment.v1.ValuesBridgeResults",
    overall: toOverallMessage(overall),
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

/** The totals of results. */
export function toOverallMessage(overall: OverallResult): OverallMessage {
  return {
    $typeName: "assessment.v1.OverallResult",
    archetypeId: overall.archetypeId,
    totalAuthenticityGapScaled: overall.totalAuthenticityGapScaled ?? undefined,
    totalConflictScoreScaled: overall.totalConflictScoreScaled ?? undefined,
    totalHarmonyScoreScaled: overall.totalHarmonyScoreScaled ?? undefined,
  };
}

export function encodeResults(results: Results): Uint8Array {
  return toBinary(ValuesBridgeResultsSchema, toResultsMessage(results));
}

/** Throws for bytes that are no results. */
export function decodeResults(bytes: Uint8Array): Results {
  const { overall, values, pairings } = fromBinary(ValuesBridgeResultsSchema, bytes);
  if (overall === undefined) throw new RangeError("these bytes are no results");
  return {
    overall: {
      archetypeId: overall.archetypeId,
      totalAuthenticityGapScaled: overall.totalAuthenticityGapScaled ?? null,
      totalConflictScoreScaled: overall.totalConflictScoreScaled ?? null,
      totalHarmonyScoreScaled: overall.totalHarmonyScoreScaled ?? null,
    },
    values: values.map((value) => ({
      valueId: value.valueId,
      idealDisplayRank: value.idealDisplayRank ?? null,
      idealRankTier: value.idealRankTier,
      currentDisplayRank: value.currentDisplayRank ?? null,
      currentRankTier: value.currentRankTier,
      authenticityGapScaled: value.authenticityGapScaled ?? null,
    })),
    pairings: pairings.map(({ valuePairingId, scaledScore }) => ({ valuePairingId, scaledScore: scaledScore ?? null })),
  };
}
