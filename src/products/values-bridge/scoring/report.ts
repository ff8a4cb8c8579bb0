// The results as partners see them: named and ordered as the contract wants.
import type { CompiledModel } from "./compile.ts";
import type { Evaluation } from "./evaluate.ts";
import { at } from "./lists.ts";
import type { PairingResult, Results, ValueResult } from "./results.ts";

/** The results of an evaluation. */
export function toResults(compiled: CompiledModel, evaluation: Evaluation): Results {
  const { ideal, current, gaps, pairings } = evaluation;
  const values = compiled.valueIds.map((valueId, index): ValueResult => {
    const wanted = at(ideal.ranks, index);
    const lived = at(current.ranks, index);
    return {
      valueId,
      idealDisplayRank: wanted.displayRank,
      idealRankTier: wanted.tier,
      currentDisplayRank: lived.displayRank,
      currentRankTier: lived.tier,
      authenticityGapScaled: at(gaps, index)?.reported ?? null,
    };
  });
  return {
    overall: {
      archetypeId: evaluation.archetype.archetypeId,
      totalAuthenticityGapScaled: evaluation.totalGap?.reported ?? null,
      totalConflictScoreScaled: evaluation.conflict.reported,
      totalHarmonyScoreScaled: evaluation.harmony.reported,
    },
    values: values.sort(byIdealRank),
    pairings: pairings.map(
      ({ pairing, reported }): PairingResult => ({ valuePairingId: pairing.id, scaledScore: reported }),
    ),
  };
}

/** Unranked values last; among them by current rank, then by id. */
function byIdealRank(a: ValueResult, b: ValueResult): number {
  return (
    compareRanks(a.idealDisplayRank, b.idealDisplayRank) ||
    compareRanks(a.currentDisplayRank, b.currentDisplayRank) ||
    a.valueId - b.valueId
  );
}

function compareRanks(a: number | null, b: number | null): number {
  if (a === null) return b === null ? 0 : 1;
  return b === null ? -1 : a - b;
}
