// Results as releases before 0.2 stored them: JSON without member names,
// `[[archetype, gap, conflict, harmony], [value …], [[pairing, score] …]]`. They are read for ever, and written
// until a roll-out of this release has ended. Afterwards only what the dense form cannot say is written so.
import type { Results } from "../scoring/results.ts";

type NumberOrNull = number | null;
type ResultsTuple = [
  [number, NumberOrNull, NumberOrNull, NumberOrNull],
  [number, NumberOrNull, string, NumberOrNull, string, NumberOrNull][],
  [number, NumberOrNull][],
];

/** The results in such bytes. */
export function decodeJsonResults(bytes: Uint8Array): Results {
  const [overall, values, pairings] = JSON.parse(Buffer.from(bytes).toString()) as ResultsTuple;
  const [archetypeId, totalAuthenticityGapScaled, totalConflictScoreScaled, totalHarmonyScoreScaled] = overall;
  return {
    overall: { archetypeId, totalAuthenticityGapScaled, totalConflictScoreScaled, totalHarmonyScoreScaled },
    values: values.map(
      ([valueId, idealDisplayRank, idealRankTier, currentDisplayRank, currentRankTier, authenticityGapScaled]) => ({
        valueId,
        idealDisplayRank,
        idealRankTier,
        currentDisplayRank,
        currentRankTier,
        authenticityGapScaled,
      }),
    ),
    pairings: pairings.map(([valuePairingId, scaledScore]) => ({ valuePairingId, scaledScore })),
  };
}

/** The results as such bytes. */
export function encodeJsonResults({ overall, values, pairings }: Results): Buffer {
  const { archetypeId, totalAuthenticityGapScaled, totalConflictScoreScaled, totalHarmonyScoreScaled } = overall;
  const tuple: ResultsTuple = [
    [archetypeId, totalAuthenticityGapScaled, totalConflictScoreScaled, totalHarmonyScoreScaled],
    values.map((value) => [
      value.valueId,
      value.idealDisplayRank,
      value.idealRankTier,
      value.currentDisplayRank,
      value.currentRankTier,
      value.authenticityGapScaled,
    ]),
    pairings.map(({ valuePairingId, scaledScore }) => [valuePairingId, scaledScore]),
  ];
  return Buffer.from(JSON.stringify(tuple));
}
