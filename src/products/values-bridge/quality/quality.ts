// Shape of quality and error of results, version 2 (see docs/trust.md), and of changes. quality.proto and change.proto describe
// each member.
import type * as change from "../../../gen/assessment/v1/change_pb.ts";
import type * as proto from "../../../gen/assessment/v1/quality_pb.ts";
import type { ShapeOf } from "../../../json/messages.ts";
import type { TranslationState } from "./model.ts";

/** `unknown`: fewer than half of the statements are answered. */
export type Grade = "good" | "caution" | "fail" | "unknown";

/** The certainty of a difference: significant among all values (`joint`), only on its own (`single`), or not at all. */
export type Certainty = "joint" | "single" | "none";

/** The people of norms: a partner's own, or those of all partners. */
export type NormScope = "partner" | "pooled";

/** The difference between two versions for which their answers cannot be compared; `keys`: of statements, or their weights. */
export type Difference = "scale" | "values" | "wording" | "keys";

interface Model {
  readonly model: "quality-and-error";
  readonly version: 2;
}

interface FieldOverrides {
  readonly "assessment.v1.Quality": Model;
  readonly "assessment.v1.Change": Model & {
    readonly reason: Difference | "grade" | null;
    readonly grades: readonly [Grade, Grade];
  };
  readonly "assessment.v1.GapError": { readonly certainty: Certainty | null };
  readonly "assessment.v1.MeasuredChange": { readonly consistent: Certainty | null };
  readonly "assessment.v1.QualityFlag": {
    readonly index: "longestRun" | "spread" | "opposites" | "consistency" | "secondBlock" | "speed";
    readonly level: "warn" | "fail";
  };
  readonly "assessment.v1.ResponseQuality": { readonly grade: Grade };
  readonly "assessment.v1.ScoreError": {
    readonly interval: readonly [number, number] | null;
    readonly rankRange: readonly [number, number] | null;
  };
  readonly "assessment.v1.SessionError": { readonly basis: "statements" };
  readonly "assessment.v1.SessionNorms": {
    readonly scope: NormScope;
    readonly translationState: TranslationState | null;
  };
  readonly "assessment.v1.Standing": { readonly percentileRange: readonly [number, number] | null };
}

interface Absent {
  readonly "assessment.v1.Change": "statements";
  readonly "assessment.v1.Quality": "error" | "norms";
  readonly "assessment.v1.SessionError": "totalGap" | "stability";
  readonly "assessment.v1.ValueChanges": "ideal" | "current" | "gap";
  readonly "assessment.v1.ValueError": "ideal" | "current" | "gap";
  readonly "assessment.v1.ValueStanding": "ideal" | "current" | "gap";
}

export type Quality = ShapeOf<proto.Quality, FieldOverrides, Absent>;
export type ResponseQuality = ShapeOf<proto.ResponseQuality, FieldOverrides, Absent>;
export type ResponseIndices = Omit<ResponseQuality, "grade" | "flags">;
export type Flag = ShapeOf<proto.QualityFlag, FieldOverrides, Absent>;
export type SessionError = ShapeOf<proto.SessionError, FieldOverrides, Absent>;
export type Variances = ShapeOf<proto.Variances, FieldOverrides, Absent>;
export type PooledVariance = ShapeOf<proto.PooledVariance, FieldOverrides, Absent>;
export type ScoreError = ShapeOf<proto.ScoreError, FieldOverrides, Absent>;
export type GapError = ShapeOf<proto.GapError, FieldOverrides, Absent>;
export type TotalGapError = ShapeOf<proto.TotalGapError, FieldOverrides, Absent>;
export type Stability = ShapeOf<proto.Stability, FieldOverrides, Absent>;
export type SessionNorms = ShapeOf<proto.SessionNorms, FieldOverrides, Absent>;
export type NormAbout = Omit<SessionNorms, "scope" | "values">;
export type ValueStanding = ShapeOf<proto.ValueStanding, FieldOverrides, Absent>;
/** A score is centred: less the mean of the person's scores in that life. */
export type Standing = ShapeOf<proto.Standing, FieldOverrides, Absent>;

/** A comparison without norms: changes are judged by how differently the statements of one value changed. */
export type SessionComparison = Omit<ShapeOf<change.Change, FieldOverrides, Absent>, "norms">;
export type StatementChanges = ShapeOf<change.StatementChanges, FieldOverrides, Absent>;
export type Change = ShapeOf<change.MeasuredChange, FieldOverrides, Absent>;
