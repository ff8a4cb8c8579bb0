// Results as the JSON of the interface: every member is there, null for what has no score.
import type { OverallResult, ValuesBridgeResults } from "../../../gen/assessment/v1/results_pb.ts";

/** ValuesBridgeResults, or null for a session that is not scored. */
export function toResults(results: ValuesBridgeResults | undefined) {
  if (results === undefined) return null;
  const { overall, values, pairings } = results;
  return {
    overall: toTotals(overall),
    values: values.map((value) => ({
      valueId: value.valueId,
      idealDisplayRank: value.idealDisplayRank ?? null,
      idealRankTier: value.idealRankTier,
      currentDisplayRank: value.currentDisplayRank ?? null,
      currentRankTier: value.currentRankTier,
      authenticityGapScaled: value.authenticityGapScaled ?? null,
    })),
    pairings: pairings.map((pairing) => ({
      valuePairingId: pairing.valuePairingId,
      scaledScore: pairing.scaledScore ?? null,
    })),
  };
}

/** The totals of results. */
export function toTotals(overall: OverallResult | undefined) {
  return {
    archetypeId: overall?.archetypeId ?? null,
    totalAuthenticityGapScaled: overall?.totalAuthenticityGapScaled ?? null,
    totalConflictScoreScaled: overall?.totalConflictScoreScaled ?? null,
    totalHarmonyScoreScaled: overall?.totalHarmonyScoreScaled ?? null,
  };
}
