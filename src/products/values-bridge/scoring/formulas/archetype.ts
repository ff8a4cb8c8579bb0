// The archetype: which band the total gap lies in, and whether the person's priorities have one direction.

import type { Round } from "../exact.ts";
import type { ArchetypeRule, ScoringModel } from "../model.ts";

/** Why no archetype fits: too few values have a gap, or harmony or conflict has no total. */
export type UnresolvedReason = "too_few_gaps" | "no_pairing_totals";

export interface ArchetypeChoice {
  readonly archetypeId: number;
  /** The rule that held; null if unresolved. */
  readonly rule: ArchetypeRule | null;
  /** Reported harmony minus reported conflict, rounded like them; null if either is missing. */
  readonly focus: number | null;
  readonly unresolved: UnresolvedReason | null;
}

/** The totals as reported, that is, rounded; null if missing. */
export interface ReportedTotals {
  readonly gap: number | null;
  readonly harmony: number | null;
  readonly conflict: number | null;
  /** Number of values that have a gap. */
  readonly valuesWithGap: number;
}

/** Chooses the archetype from the totals that a reader of the results sees, so that the reader can check it. */
export function chooseArchetype(model: ScoringModel, totals: ReportedTotals, round: Round): ArchetypeChoice {
  const { gap, harmony, conflict, valuesWithGap } = totals;
  const { minGapValues, focusThreshold } = model.constants;
  const focus = harmony === null || conflict === null ? null : round(harmony - conflict);
  const unresolved = (reason: UnresolvedReason): ArchetypeChoice => ({
    archetypeId: model.unresolvedArchetypeId,
    rule: null,
    focus,
    unresolved: reason,
  });
  if (gap === null || valuesWithGap < minGapValues) return unresolved("too_few_gaps");
  if (focus === null) return unresolved("no_pairing_totals");
  const direction = focus >= focusThreshold ? "focused" : "plural";
  for (const rule of model.archetypes) {
    const inBand = gap >= rule.gapFrom && (rule.gapBelow === null || gap < rule.gapBelow);
    if (inBand && rule.direction === direction) return { archetypeId: rule.id, rule, focus, unresolved: null };
  }
  throw new RangeError(`no archetype for a gap of ${gap} and direction ${direction}`);
}
