// Explanations as messages. Null means "no score" in the domain; in a message that is an absent field.

import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  ArchetypeDirection,
  type ArchetypeExplanationSchema,
  type ContextExplanationSchema,
  type Explanation,
  ExplanationSchema,
  PairingKind,
  type PairingTotalExplanationSchema,
  type ScoringConstantsSchema,
  UnresolvedReason,
  UnscoredReason,
} from "../../../gen/assessment/v1/explanation_pb.ts";
import { byWord } from "../../../kernel/json/members.ts";
import type { ArchetypeExplanation, ContextExplanation } from "../scoring/explanation.ts";
import type { PairingTotal } from "../scoring/formulas/pairings.ts";
import type { ScoringConstants } from "../scoring/model.ts";
import type { ResultsExplanation } from "./explained-results.ts";

const kinds = byWord(PairingKind);
const directions = byWord(ArchetypeDirection);
const unscoredReasons = byWord(UnscoredReason);
const unresolvedReasons = byWord(UnresolvedReason);

/** An explanation as a message. */
export function toExplanationMessage(explanation: ResultsExplanation): Explanation {
  const { explainsResults, constants, values, totalGap, baseline, pairings, harmony, conflict, archetype } =
    explanation;
  return create(ExplanationSchema, {
    explainsResults,
    constants: toConstants(constants),
    values: values.map((value) => ({
      valueId: value.valueId,
      neighbours: [...value.neighbours],
      ideal: toContext(value.ideal),
      current: toContext(value.current),
      gap: value.gap ?? undefined,
      priority: value.priority ?? undefined,
    })),
    totalGap: totalGap ?? undefined,
    baseline: { ...baseline, mean: baseline.mean ?? undefined },
    pairings: pairings.map(({ valuePairingId, values: pair, kind, kappa, min, mean, reported }) => ({
      valuePairingId,
      values: [...pair],
      kind: kinds[kind],
      kappa,
      min: min ?? undefined,
      mean: mean ?? undefined,
      reported: reported ?? undefined,
    })),
    harmony: toPairingTotal(harmony),
    conflict: toPairingTotal(conflict),
    archetype: toArchetype(archetype),
  });
}

function toConstants(constants: ScoringConstants): MessageInitShape<typeof ScoringConstantsSchema> {
  return { ...constants, tiers: constants.tiers.map(({ name, share }) => ({ name, share: [...share] })) };
}

function toContext(context: ContextExplanation): MessageInitShape<typeof ContextExplanationSchema> {
  const { items, score, unscored, displayRank, sharedRank, neighbourMean } = context;
  return {
    ...context,
    items: items.map((item) => ({ ...item, answer: item.answer ?? undefined, keyed: item.keyed ?? undefined })),
    score: score ?? undefined,
    unscored: unscored === null ? undefined : unscoredReasons[unscored],
    displayRank: displayRank ?? undefined,
    sharedRank: sharedRank ?? undefined,
    neighbourMean: neighbourMean ?? undefined,
  };
}

function toPairingTotal(total: PairingTotal): MessageInitShape<typeof PairingTotalExplanationSchema> {
  return { ...total, total: total.total ?? undefined, reported: total.reported ?? undefined };
}

function toArchetype(archetype: ArchetypeExplanation): MessageInitShape<typeof ArchetypeExplanationSchema> {
  const { archetypeId, gapBand, focus, direction, unresolved } = archetype;
  return {
    archetypeId,
    gapBand: gapBand === null ? undefined : { from: gapBand.from, below: gapBand.below ?? undefined },
    focus: focus ?? undefined,
    direction: direction === null ? undefined : directions[direction],
    unresolved: unresolved === null ? undefined : unresolvedReasons[unresolved],
  };
}
