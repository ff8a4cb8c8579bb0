// Results as the store keeps them: bytes that nobody else reads.
import type { Results } from "../scoring/results.ts";

/**
 * Results as JSON without member names: `[[archetype, gap, conflict, harmony], [value …], [[pairing, score] …]]`.
 * A third of the size of the named form, which matters with one row a session.
 */
export function encodeResults({ overall, values, pairings }: Results): Buffer {
  const json = JSON.stringify([
    [
      overall.archetypeId,
      overall.totalAuthenticityGapScaled,
      overall.totalConflictScoreScaled,
      overall.totalHarmonyScoreScaled,
    ],
    values.map((value) => [
      value.valueId,
      value.idealDisplayRank,
      value.idealRankTier,
      value.currentDisplayRank,
      value.currentRankTier,
      value.authenticityGapScaled,
    ]),
    pairings.map((pairing) => [pairing.valuePairingId, pairing.scaledScore]),
  ]);
  return Buffer.from(json);
}

type NumberOrNull = number | null;
type ResultsTuple = [
  [number, NumberOrNull, NumberOrNull, NumberOrNull],
  [number, NumberOrNull, string, NumberOrNull, string, NumberOrNull][],
  [number, NumberOrNull][],
];

/** The results that `encodeResults` made the bytes of. */
export function decodeResults(bytes: Uint8Array): Results {
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
