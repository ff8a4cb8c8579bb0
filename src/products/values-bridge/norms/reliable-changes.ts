// Changes between two sessions, judged by norms of the partner's own people.
import type * as proto from "../../../gen/assessment/v1/change_pb.ts";
import type { ShapeOf } from "../../../json/messages.ts";
import type { NormAbout, SessionComparison } from "../quality/quality.ts";
import { roundNumbers } from "../quality/rounding.ts";
import { z95 } from "../quality/statistics.ts";
import type { Answers } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import { type Measure, mapMeasures, type ValueMeasures } from "../scoring/model.ts";
import type { NormLayout } from "./layout.ts";
import type { NormNumbers, RetestNumbers } from "./numbers.ts";
import { findGap } from "./sums.ts";

/** Norms to judge by: of retests, else of first sessions. */
export type ChangeNorms =
  | { readonly basis: "retest"; readonly numbers: RetestNumbers }
  | { readonly basis: "reliability"; readonly numbers: NormNumbers };

export interface ReliableChanges extends NormAbout {
  readonly basis: ChangeNorms["basis"];
  readonly values: readonly ValueReliableChanges[];
}

/** Null without a norm, or if a statement of the value is unanswered in either session. */
type ValueReliableChanges = ValueMeasures<ReliableChange | null>;

export type ReliableChange = ShapeOf<proto.ReliableChange>;

/**
 * Judges the changes of a comparison, rounded. Null if it has none.
 * @param layout of the version of both sessions
 */
export function judgeChanges(
  layout: NormLayout,
  { statements }: SessionComparison,
  answers: readonly [Answers, Answers],
  norms: ChangeNorms,
): ValueReliableChanges[] | null {
  if (statements === null) return null;
  return layout.values.map((value, index) => {
    const { valueId } = value;
    const isWhole = answers.every((each) => findGap(layout, value, each) !== null);
    const changes = at(statements.values, index);
    return mapMeasures(valueId, (measure) => {
      const { change = null } = changes[measure] ?? {};
      const { mean, sd } = getError(norms, index, measure);
      return change === null || !isWhole || sd === 0 ? null : roundNumbers(toReliableChange(change - mean, sd));
    });
  });
}

/**
 * Mean and standard deviation of changes without a real change; an sd of 0 judges nothing. From retests, which include
 * practice and mood (Temkin et al. 1999), else from the errors of both sessions, `sqrt(SEM1² + SEM2²)` (Jacobson and Truax
 * 1991, corrected; Maassen 2004).
 */
function getError(norms: ChangeNorms, index: number, measure: Measure): { readonly mean: number; readonly sd: number } {
  if (norms.basis === "retest") return at(norms.numbers.values, index)[measure];
  const error = at(norms.numbers.values, index)[measure].standardError ?? 0;
  return { mean: 0, sd: Math.hypot(error, error) };
}

/** Judges a change by its standard error. @param change minus the expected one */
export function toReliableChange(change: number, standardError: number): ReliableChange {
  const index = change / standardError;
  return {
    standardError,
    index,
    reliable: Math.abs(index) >= z95,
    smallestReliableChange: z95 * standardError,
  };
}
