// Recomputes results from an explanation alone, as a reader with the published formulas would.
import type {
  ContextExplanation,
  Explanation,
  ItemExplanation,
  ValueExplanation,
} from "../../../src/products/values-bridge/scoring/explain.ts";
import type { LifeContext, PairingKind } from "../../../src/products/values-bridge/scoring/model.ts";
import type { PairingResult, Results, ValueResult } from "../../../src/products/values-bridge/scoring/score.ts";

/** Everything that results report, except the archetype's id, which is a name and not a number. */
export interface Recomputed {
  readonly gap: number | null;
  readonly harmony: number | null;
  readonly conflict: number | null;
  /** Harmony minus conflict, both as reported. */
  readonly focus: number | null;
  readonly direction: "focused" | "plural" | null;
  readonly values: Results["values"];
  readonly pairings: Results["pairings"];
}

interface Standing {
  readonly rank: number | null;
  readonly tier: string;
}

/** Reads nothing of the explanation but answers, keys, weights, ranges, circle, pairings and constants. */
export function recompute(explanation: Explanation): Recomputed {
  const { constants } = explanation;
  const round = (value: number): number => decimals(value, constants.decimals, 1e-6);
  const ideal = scores(explanation, "ideal");
  const current = scores(explanation, "current");
  const idealStandings = standings(explanation, ideal);
  const currentStandings = standings(explanation, current);

  const values = explanation.values.map(({ valueId }): ValueResult => {
    const [wanted, lived] = [ideal.get(valueId) ?? null, current.get(valueId) ?? null];
    return {
      valueId,
      idealDisplayRank: idealStandings.get(valueId)?.rank ?? null,
      idealRankTier: idealStandings.get(valueId)?.tier ?? constants.unranked,
      currentDisplayRank: currentStandings.get(valueId)?.rank ?? null,
      currentRankTier: currentStandings.get(valueId)?.tier ?? constants.unranked,
      authenticityGapScaled: wanted === null || lived === null ? null : round(100 * (wanted - lived)),
    };
  });

  const gap = meanGap(explanation, ideal, current);
  const priorities = prioritiesOf(explanation, ideal);
  const harmony = pairTotal(explanation, priorities, "harmony");
  const conflict = pairTotal(explanation, priorities, "conflict");
  const reported = [gap, harmony, conflict].map((total) => (total === null ? null : round(total)));
  const [t = null, h = null, c = null] = reported;
  const focus = h === null || c === null ? null : round(h - c);
  const gaps = values.filter((value) => value.authenticityGapScaled !== null).length;
  const resolved = t !== null && focus !== null && gaps >= constants.minGapValues;
  return {
    gap: t,
    harmony: h,
    conflict: c,
    focus,
    direction: resolved ? (focus >= constants.focusThreshold ? "focused" : "plural") : null,
    values: values.sort(
      (a, b) =>
        (a.idealDisplayRank ?? 99) - (b.idealDisplayRank ?? 99) ||
        (a.currentDisplayRank ?? 99) - (b.currentDisplayRank ?? 99) ||
        a.valueId - b.valueId,
    ),
    pairings: pairingResults(explanation, priorities, round),
  };
}

function decimals(value: number, places: number, tolerance: number): number {
  const size = Math.floor(Math.abs(value) * 10 ** places + 0.5 + tolerance) / 10 ** places;
  return value < 0 && size > 0 ? -size : size;
}

function scores({ constants, values }: Explanation, context: LifeContext): Map<number, number | null> {
  const scoreOf = ({ items }: ContextExplanation): number | null => {
    const counted = items.filter((item) => item.weight > 0);
    const answered = counted.filter((item) => item.answer !== null);
    const weightOf = (list: readonly ItemExplanation[]): number => list.reduce((sum, item) => sum + item.weight, 0);
    if (answered.length < Math.max(1, Math.min(constants.minItems, counted.length))) return null;
    if (weightOf(answered) < constants.minCoverage * weightOf(counted)) return null;
    const points = answered.reduce((sum, { inverse, weight, min, max, answer }) => {
      const x = answer ?? Number.NaN;
      return sum + weight * (inverse ? max - x : x - min);
    }, 0);
    return points / answered.reduce((sum, { weight, min, max }) => sum + weight * (max - min), 0);
  };
  return new Map(values.map((value) => [value.valueId, scoreOf(value[context])]));
}

function standings({ constants, values }: Explanation, scored: Map<number, number | null>): Map<number, Standing> {
  const neighbourMean = ({ neighbours }: ValueExplanation): number => {
    const beside = neighbours.map((id) => scored.get(id) ?? null).filter((score) => score !== null);
    const sum = beside.reduce((total, score) => total + score, 0);
    return beside.length === 0 ? -1 : decimals(sum / beside.length, 9, 1e-3);
  };
  const ranked = values
    .map((value) => ({ id: value.valueId, score: scored.get(value.valueId) ?? null, mean: neighbourMean(value) }))
    .filter((entry): entry is typeof entry & { score: number } => entry.score !== null)
    .sort((a, b) => b.score - a.score || b.mean - a.mean || a.id - b.id);
  return new Map(
    ranked.map(({ id, score }, index) => {
      const shared = 1 + ranked.filter((entry) => entry.score > score).length;
      const tier = constants.tiers.find(({ share: [k, n] }) => shared <= Math.ceil((k * ranked.length) / n));
      return [id, { rank: index + 1, tier: tier?.name ?? "none" }];
    }),
  );
}

function meanGap(
  { constants, values }: Explanation,
  ideal: Map<number, number | null>,
  current: Map<number, number | null>,
): number | null {
  const terms = values.flatMap(({ valueId }) => {
    const [wanted, lived] = [ideal.get(valueId) ?? null, current.get(valueId) ?? null];
    if (wanted === null || lived === null) return [];
    return [{ size: Math.abs(100 * (wanted - lived)), weight: constants.importanceFloor + wanted }];
  });
  if (terms.length === 0) return null;
  const weighted = terms.reduce((sum, { size, weight }) => sum + size * weight, 0);
  return weighted / terms.reduce((sum, { weight }) => sum + weight, 0);
}

function prioritiesOf({ constants }: Explanation, ideal: Map<number, number | null>): Map<number, number> {
  const scored = [...ideal].filter((entry): entry is [number, number] => entry[1] !== null);
  if (scored.length < constants.minBaselineValues) return new Map();
  const average = scored.reduce((sum, [, score]) => sum + score, 0) / scored.length;
  const held = (p: number): number => Math.min(1, Math.max(0, p));
  return new Map(scored.map(([id, score]) => [id, held(0.5 + constants.priorityGain * (score - average))]));
}

function pairTotal({ pairings }: Explanation, priorities: Map<number, number>, kind: PairingKind): number | null {
  const scored = pairings.flatMap((pairing) => {
    const [a, b] = pairing.values.map((id) => priorities.get(id));
    return pairing.kind !== kind || a === undefined || b === undefined ? [] : [{ kappa: pairing.kappa, a, b }];
  });
  if (scored.length === 0) return null;
  const both = scored.reduce((sum, { kappa, a, b }) => sum + kappa * Math.min(a, b), 0);
  const half = scored.reduce((sum, { kappa, a, b }) => sum + (kappa * (a + b)) / 2, 0);
  return half === 0 ? 0 : (100 * both) / half;
}

function pairingResults(
  { pairings }: Explanation,
  priorities: Map<number, number>,
  round: (value: number) => number,
): PairingResult[] {
  return pairings
    .map(({ valuePairingId, values }) => {
      const [a, b] = values.map((id) => priorities.get(id));
      if (a === undefined || b === undefined) return { valuePairingId, scaledScore: null, min: -1, mean: -1 };
      const min = 100 * Math.min(a, b);
      const order = { min: decimals(min, 9, 1e-3), mean: decimals((a + b) / 2, 9, 1e-3) };
      return { valuePairingId, scaledScore: round(min), ...order };
    })
    .sort((a, b) => b.min - a.min || b.mean - a.mean || a.valuePairingId - b.valuePairingId)
    .map(({ valuePairingId, scaledScore }) => ({ valuePairingId, scaledScore }));
}
