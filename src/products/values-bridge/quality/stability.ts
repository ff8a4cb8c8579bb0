// Stability: how much the totals and the archetype of a session depend on single statements.
import jstat from "jstat";
import type { Answers } from "../scoring/cells.ts";
import { type Evaluation, evaluateScores, type ScoreEvaluation, scoreCells, toScores } from "../scoring/evaluate.ts";
import { at } from "../scoring/exact.ts";
import type { CompiledQuality } from "./compile.ts";
import type { Stability } from "./quality.ts";

const minReplicates = 3;

/**
 * Scores k times, each time without one statement of every value: without the first of each, then the second, in the order of
 * the definition. Standard errors are those of the grouped jackknife, `sqrt((k - 1) / k * sum (t - mean t)²)` of the unrounded
 * totals `t` (Efron and Tibshirani 1993); with k - 1 degrees of freedom they are too rough for an interval. Null unless all
 * values have the same number `k` of statements, 3 or more.
 */
export function computeStability(
  { scoring, statements }: CompiledQuality,
  answers: Answers,
  { archetype: { archetypeId } }: Evaluation,
): Stability | null {
  const versions = at(statements, 0).length;
  if (versions < minReplicates || statements.some(({ length }) => length !== versions)) return null;
  const shorter = Array.from({ length: versions }, (_, place) => {
    const remaining = [...answers];
    for (const valueStatements of statements) {
      const { ideal, current } = at(valueStatements, place);
      remaining[ideal.position] = null;
      remaining[current.position] = null;
    }
    const cells = scoreCells(scoring, remaining);
    return evaluateScores(scoring, toScores(cells.ideal), toScores(cells.current));
  });
  const archetypes = shorter.map((version) => version.archetype.archetypeId);
  return {
    versions,
    archetypeId,
    sameArchetype: archetypes.filter((id) => id === archetypeId).length,
    archetypes,
    seTotalGap: computeJackknifeError(shorter.map(({ totalGap }) => totalGap?.total ?? null)),
    seHarmony: computeJackknifeError(shorter.map(({ harmony }) => harmony.total)),
    seConflict: computeJackknifeError(shorter.map(({ conflict }) => conflict.total)),
    seFocus: computeJackknifeError(shorter.map(computeFocus)),
  };
}

function computeFocus({ harmony, conflict }: ScoreEvaluation): number | null {
  return harmony.total === null || conflict.total === null ? null : harmony.total - conflict.total;
}

function computeJackknifeError(replicates: readonly (number | null)[]): number | null {
  const totals = replicates.filter((total) => total !== null);
  const versions = replicates.length;
  if (totals.length < versions) return null;
  return Math.sqrt(((versions - 1) / versions) * jstat.sumsqerr(totals));
}
