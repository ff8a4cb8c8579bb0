// Pairs of values that are both clearly wanted: near each other on the circle, or opposite.
import type { PairingExplanation, PairingKind } from "../../scoring/shapes.ts";
import type { ReportPairs } from "../report-model.ts";
import type { Facts } from "./facts.ts";
import { maxPairsPerKind } from "./rules.ts";
import type { ReportWriter } from "./writer.ts";

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
export function writePairs({ facts, texts, formatList, getValueName }: ReportWriter): ReportPairs | null {
  const notes = { harmony: texts.pairsHarmony, conflict: texts.pairsConflict };
  const kinds = (["harmony", "conflict"] as const).map((kind) => {
    const pairs = listStrongPairs(facts, kind).map(({ valuePairingId, values }) => {
      return { valuePairingId, text: formatList(values.map(getValueName)) };
    });
    return { kind, note: notes[kind], pairs };
  });
  const presentKinds = kinds.filter(({ pairs }) => pairs.length > 0);
  return presentKinds.length === 0 ? null : { title: texts.pairsTitle, note: texts.pairsNote, kinds: presentKinds };
}
