// Pairs of values that are both clearly wanted: near each other on the circle, or opposite.
import type { PairingExplanation } from "../../scoring/explain.ts";
import type { PairingKind } from "../../scoring/model.ts";
import type { ReportPairs } from "../report-model.ts";
import type { Facts, ReportContext } from "./facts.ts";
import { maxPairsPerKind } from "./rules.ts";

/** Pairs of a kind, the strongest first: both values are above the person's average, beyond their errors. */
export function listStrongPairs(
  { noDifferencesReason, explanation, values }: Facts,
  kind: PairingKind,
): readonly PairingExplanation[] {
  if (noDifferencesReason !== null) return [];
  const high = new Set(values.filter(({ clearlyHigh }) => clearlyHigh).map(({ valueId }) => valueId));
  return explanation.pairings
    .filter((pairing) => pairing.kind === kind && pairing.values.every((id) => high.has(id)))
    .sort((one, other) => (other.min ?? 0) - (one.min ?? 0))
    .slice(0, maxPairsPerKind);
}

/** The pairs as text. Null if there is none, or values cannot be distinguished. */
export function writePairs({ facts, words, language }: ReportContext): ReportPairs | null {
  const { texts, formatList } = language;
  const pairGroups = (["harmony", "conflict"] as const).flatMap((kind) => {
    const pairs = listStrongPairs(facts, kind).map(({ valuePairingId, values }) => ({
      valuePairingId,
      text: formatList(values.map((id) => words.findValueName(id).text)),
    }));
    return pairs.length === 0
      ? []
      : [{ kind, note: kind === "harmony" ? texts.pairsHarmony : texts.pairsConflict, pairs }];
  });
  return pairGroups.length === 0 ? null : { title: texts.pairsTitle, note: texts.pairsNote, kinds: pairGroups };
}
