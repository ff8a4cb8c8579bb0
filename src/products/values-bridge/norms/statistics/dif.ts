// Differential item functioning: whether people of two languages answer a statement differently at the same level.
import { at } from "../../scoring/lists.ts";

/** Counts of a statement: for each stratum of the cell's sum, how often each keyed point was given. */
export type StrataCounts = readonly (readonly number[])[];

export type DifGrade = "negligible" | "moderate" | "large";

export interface Dif {
  /** Share of the focal group in strata that hold both groups. */
  readonly usedShare: number;
  /** Standardised mean difference, focal minus reference, in keyed points. */
  readonly smd: number;
  /** Standard deviation of the keyed answer in both groups together. */
  readonly itemSd: number;
  readonly effect: number;
  readonly grade: DifGrade;
}

const leastUsedShare = 0.9;

/**
 * For groups of 200 people or more, 500 together. Standardised mean difference over the strata that hold both groups, weighted by the focal group:
 * `sum n_F (mean_F - mean_R) / sum n_F` (Dorans and Schmitt 1991); the effect divides it by the standard deviation of
 * the keyed answer in both groups. Cuts: NAEP. Null if the strata used hold under 90 % of the focal group, or if nothing
 * varies. Four statements match people too coarsely for a test of significance.
 */
export function difOf(reference: StrataCounts, focal: StrataCounts): Dif | null {
  let [used, all, difference] = [0, 0, 0];
  for (const [stratum, counts] of focal.entries()) {
    const [own, other] = [summary(counts), summary(at(reference, stratum))];
    all += own.n;
    if (own.n === 0 || other.n === 0) continue;
    used += own.n;
    difference += own.n * (own.sum / own.n - other.sum / other.n);
  }
  if (used === 0 || used < leastUsedShare * all) return null;
  const whole = summary(pointCounts([...reference, ...focal]));
  const itemSd = Math.sqrt((whole.squares - whole.sum ** 2 / whole.n) / (whole.n - 1));
  if (!(itemSd > 0)) return null;
  const smd = difference / used;
  const effect = smd / itemSd;
  return { usedShare: used / all, smd, itemSd, effect, grade: gradeOf(Math.abs(effect)) };
}

function gradeOf(size: number): DifGrade {
  if (size < 0.17) return "negligible";
  return size < 0.25 ? "moderate" : "large";
}

function pointCounts(strata: StrataCounts): number[] {
  return at(strata, 0).map((_, point) => strata.reduce((sum, counts) => sum + at(counts, point), 0));
}

function summary(counts: readonly number[]): { n: number; sum: number; squares: number } {
  let [n, sum, squares] = [0, 0, 0];
  for (const [point, count] of counts.entries()) {
    n += count;
    sum += count * point;
    squares += count * point * point;
  }
  return { n, sum, squares };
}
