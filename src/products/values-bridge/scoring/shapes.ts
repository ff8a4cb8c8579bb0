// Shapes of results and of their explanation. results.proto and explanation.proto describe each member.
import type * as proto from "../../../gen/assessment/v1/explanation_pb.ts";
import type * as results from "../../../gen/assessment/v1/results_pb.ts";
import type { ShapeOf } from "../../../json/messages.ts";

/** Two values whose joint priority is reported, because they are neighbours or opposites on the circle. */
export type PairingKind = "harmony" | "conflict";

/** From a focus of `focusThreshold` on, `focused`: rounded harmony minus rounded conflict. */
export type Direction = "focused" | "plural";

interface FieldOverrides {
  readonly "assessment.v1.ArchetypeExplanation": {
    readonly direction: Direction | null;
    readonly unresolved: "too_few_gaps" | "no_pairing_totals" | null;
  };
  readonly "assessment.v1.ContextExplanation": { readonly unscored: "too_few_items" | "too_little_weight" | null };
  readonly "assessment.v1.PairingExplanation": {
    readonly values: readonly [number, number];
    readonly kind: PairingKind;
  };
  readonly "assessment.v1.TierShare": { readonly share: readonly [number, number] };
  readonly "assessment.v1.ValueExplanation": { readonly neighbours: readonly [number, number] };
}

interface Absent {
  readonly "assessment.v1.ArchetypeExplanation": "gapBand";
  readonly "assessment.v1.Explanation": "totalGap";
  readonly "assessment.v1.ValueExplanation": "gap";
}

type Shape<M> = ShapeOf<M, FieldOverrides, Absent>;

/** The results of one session; null for what has no score. */
export type Results = Shape<results.ValuesBridgeResults>;

/** The computation of results; null for what has no score. */
export interface Explanation extends Omit<Shape<proto.Explanation>, "explainsResults" | "archetype"> {
  readonly archetype: ArchetypeExplanation;
}

/** The choice of the archetype, without the others that fit as well. */
export type ArchetypeExplanation = Omit<Shape<proto.ArchetypeExplanation>, "certain" | "between">;
export type ValueExplanation = Shape<proto.ValueExplanation>;
export type ContextExplanation = Shape<proto.ContextExplanation>;
export type ItemExplanation = Shape<proto.ItemExplanation>;
export type PairingExplanation = Shape<proto.PairingExplanation>;
export type ScoringConstants = Shape<proto.ScoringConstants>;
export type Gap = Shape<proto.GapExplanation>;
export type TotalGap = Shape<proto.TotalGapExplanation>;
export type PairingTotal = Shape<proto.PairingTotalExplanation>;
