// A change against what changes without a change of the person, known from others: reliable by the changes of people who
// answered again, beyond measurement error by the errors of both sessions.
import { at } from "../../scoring/lists.ts";

/** Two-sided 95 %. */
const critical = 1.96;

export interface ReliableChange {
  /** What the change is divided by. */
  readonly standardError: number;
  readonly index: number;
  readonly reliable: boolean;
  readonly smallestReliableChange: number;
}

/** `(change - mean) / SD` of the changes of people who answered again soon (Temkin et al. 1999): practice and mood. */
export function byRetest(change: number, { mean, sd }: { readonly mean: number; readonly sd: number }): ReliableChange {
  return judge(change - mean, sd);
}

/** `change / sqrt(SEM1² + SEM2²)` (Jacobson and Truax 1991, corrected; Maassen 2004). */
export function byReliability(change: number, errors: readonly [number, number]): ReliableChange {
  return judge(change, Math.hypot(at(errors, 0), at(errors, 1)));
}

function judge(difference: number, standardError: number): ReliableChange {
  const index = difference / standardError;
  return {
    standardError,
    index,
    reliable: Math.abs(index) >= critical,
    smallestReliableChange: critical * standardError,
  };
}
