// Results as a message, and as its bytes, which the store keeps.
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { ValuesBridgeResultsSchema } from "../../../gen/assessment/v1/results_pb.ts";
import { fromModel } from "../../../json/message-from-model.ts";
import type { Results } from "../scoring/score.ts";

export const toResultsMessage = fromModel(ValuesBridgeResultsSchema);

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
