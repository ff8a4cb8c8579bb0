// Results as a message.
import type { OverallResult as OverallMessage, ValuesBridgeResults } from "../../../gen/assessment/v1/results_pb.ts";
import type { OverallResult, Results } from "../scoring/results.ts";

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
