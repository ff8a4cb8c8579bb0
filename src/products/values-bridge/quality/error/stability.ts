// How much the totals and the archetype change when a statement of every value is left out.

import { type Evaluation, evaluateScores, type ScoreEvaluation } from "../../scoring/evaluate.ts";
import { at } from "../../scoring/exact.ts";
import { type Answers, scoreCell } from "../../scoring/formulas/cells.ts";
import type { CompiledQuality } from "../compile.ts";
import type { Stability } from "../quality.ts";
import { meanOf } from "../samples.ts";

const leastVersions = 3;

/**
 * Scores again, each time as if one statement of every value were unanswered in both lives: the first of each value,
 * then the second, in the order of the definition. The standard errors are those of the grouped jackknife,
 * `sqrt((k - 1) / k * sum (t - mean t)²)` of the unrounded totals `t` (Efron and Tibshirani 1993); with k - 1 degrees
 * of freedom they are too rough for an interval. Null unless all values have the same number `k` of statements, 3 or
 * more.
 */
export function stabilityOf(
  { scoring, statements }: CompiledQuality,
  answers: Answers,
  { archetype: { archetypeId } }: Evaluation,
): Stability | null {
  const versions = at(statements, 0).length;
  if (versions < leastVersions || statements.some((ofValue) => ofValue.length !== versions)) return null;
  const scoresOf = (life: "ideal" | "current", left: Answers) =>
    scoring.cells[life].map((cell) => scoreCell(cell, left, scoring.model.constants).score);
  const shorter = Array.from({ length: versions }, (_, place) => {
    const left = [...answers];
    for (const ofValue of statements) {
      const { ideal, current } = at(ofValue, place);
      left[ideal.position] = null;
      left[current.position] = null;
    }
    return evaluateScores(scoring, scoresOf("ideal", left), scoresOf("current", left));
  });
  const archetypes = shorter.map((version) => version.archetype.archetypeId);
  return {
    versions,
    archetypeId,
    sameArchetype: archetypes.filter((id) => id === archetypeId).length,
    archetypes,
    seTotalGap: jackknifeError(shorter.map(({ totalGap }) => totalGap?.total ?? null)),
    seHarmony: jackknifeError(shorter.map(({ harmony }) => harmony.total)),
    seConflict: jackknifeError(shorter.map(({ conflict }) => conflict.total)),
    seFocus: jackknifeError(shorter.map(focusOf)),
  };
}

function focusOf({ harmony, conflict }: ScoreEvaluation): number | null {
  return harmony.total === null || conflict.total === null ? null : harmony.total - conflict.total;
}

function jackknifeError(replicates: readonly (number | null)[]): number | null {
  const totals = replicates.filter((total) => total !== null);
  const versions = replicates.length;
  if (totals.length < versions) return null;
  const mean = meanOf(totals);
  const squares = totals.reduce((sum, total) => sum + (total - mean) ** 2, 0);
  return Math.sqrt(((versions - 1) / versions) * squares);
}
