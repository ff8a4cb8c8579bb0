// What is the product's own in the JSON of the interface: results, and what a question says of its value.
import { LifeContext, type ValuesBridgeConfig } from "../../gen/assessment/v1/assessment_pb.ts";
import type { ValuesBridgeResults } from "../../gen/assessment/v1/results_pb.ts";

const lifeContexts: Readonly<Record<number, string>> = {
  [LifeContext.IDEAL]: "ideal",
  [LifeContext.CURRENT]: "current",
};

/** What a question says of the value that it asks for. */
export function toValuesBridgeConfig(config: ValuesBridgeConfig) {
  const { valueId, valueName, lifeContext, inverse, omegaWeight } = config;
  return { valueId, valueName, lifeContext: lifeContexts[lifeContext], inverse, omegaWeight };
}

/** ValuesBridgeResults, or null for a session that is not scored. */
export function toResults(results: ValuesBridgeResults | undefined) {
  if (results === undefined) return null;
  const { overall, values, pairings } = results;
  return {
    overall: {
      archetypeId: overall?.archetypeId ?? null,
      totalAuthenticityGapScaled: overall?.totalAuthenticityGapScaled ?? null,
      totalConflictScoreScaled: overall?.totalConflictScoreScaled ?? null,
      totalHarmonyScoreScaled: overall?.totalHarmonyScoreScaled ?? null,
    },
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
