// The changes between two sessions, judged by norms of the partner's own people.
import type * as proto from "../../../gen/assessment/v1/change_pb.ts";
import type { ShapeOf } from "../../../json/shape-of.ts";
import type { Change, NormAbout, SessionComparison } from "../quality/quality.ts";
import { rounded } from "../quality/rounding.ts";
import type { Answers } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import type { Measure, OfValue } from "../scoring/model.ts";
import type { NormLayout } from "./layout.ts";
import type { NormNumbers, RetestNumbers } from "./numbers.ts";
import { stepsIn } from "./sums.ts";

/** Norms to judge by: of people who answered again, else of first sessions. */
export type ChangeNorms =
  | { readonly basis: "retest"; readonly numbers: RetestNumbers }
  | { readonly basis: "reliability"; readonly numbers: NormNumbers };

export interface ReliableChanges extends NormAbout {
  readonly basis: ChangeNorms["basis"];
  readonly values: readonly ValueReliableChanges[];
}

/** Null unless all statements concerned are answered in both sessions, or without a norm. */
type ValueReliableChanges = OfValue<ReliableChange | null>;

export type ReliableChange = ShapeOf<proto.ReliableChange>;

/**
 * Judges the changes of a comparison, rounded. Null if it has none.
 * @param layout of the version of both sessions
 */
export function reliableChanges(
  layout: NormLayout,
  { statements }: SessionComparison,
  answers: readonly [Answers, Answers],
  norms: ChangeNorms,
): ValueReliableChanges[] | null {
  if (statements === null) return null;
  return layout.values.map((value, index) => {
    const { valueId } = value;
    const isWhole = answers.every((sheet) => stepsIn(layout, value, sheet) !== null);
    const changes = at(statements.values, index);
    const judged = (measure: Measure) => (isWhole ? judge(changes[measure], norms, index, measure) : null);
    return { valueId, ideal: judged("ideal"), current: judged("current"), gap: judged("gap") };
  });
}

function judge(change: Change | null, norms: ChangeNorms, index: number, measure: Measure): ReliableChange | null {
  if (change === null) return null;
  if (norms.basis === "retest") {
    const moments = at(norms.numbers.values, index)[measure];
    return moments.sd > 0 ? rounded(byRetest(change.change, moments)) : null;
  }
  const error = at(norms.numbers.values, index)[measure].standardError;
  return error === null || error === 0 ? null : rounded(byReliability(change.change, [error, error]));
}

/** Two-sided 95 %. */
const critical = 1.96;

/** `(change - mean) / SD` of the changes of people who answered again soon (Temkin et al. 1999): practice and mood. */
export function byRetest(change: number, { mean, sd }: { readonly mean: number; readonly sd: number }): ReliableChange {
  return changeBeyond(change - mean, sd);
}

/** `change / sqrt(SEM1² + SEM2²)` (Jacobson and Truax 1991, corrected; Maassen 2004). */
export function byReliability(change: number, errors: readonly [number, number]): ReliableChange {
  return changeBeyond(change, Math.hypot(at(errors, 0), at(errors, 1)));
}

function changeBeyond(difference: number, standardError: number): ReliableChange {
  const index = difference / standardError;
  return {
    standardError,
    index,
    reliable: Math.abs(index) >= critical,
    smallestReliableChange: critical * standardError,
  };
}
