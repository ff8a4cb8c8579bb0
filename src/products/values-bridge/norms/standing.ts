// The standing of one session among other people.
import type { SessionError, ValueStanding } from "../quality/quality.ts";
import { readAnswers } from "../quality/read-answers.ts";
import { roundNumbers } from "../quality/rounding.ts";
import { centreScores, z95 } from "../quality/statistics.ts";
import type { Answers } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import { mapMeasures, type ValueMeasures } from "../scoring/model.ts";
import { findBin, type NormLayout, scoreBins } from "./layout.ts";
import type { MeasureNumbers } from "./numbers.ts";
import { computeTScore, type Distribution, findRank, roundRank } from "./statistics/distribution.ts";
import { findGap } from "./sums.ts";

/** Numbers of a partner's own people, or of those of all partners, which have distributions only. */
export interface MeasureNorms {
  readonly values: readonly ValueMeasures<Distribution | Pick<MeasureNumbers, "distribution" | "standardError">>[];
}

/**
 * The values of a session among people of its partner or, by pooled norms, of all partners, in ascending value id; null if a
 * statement is unanswered.
 * @param errors the standard errors of the session's scores and gaps
 */
export function computeStandings(
  layout: NormLayout,
  norms: MeasureNorms,
  answers: Answers,
  errors: SessionError["values"],
): ValueStanding[] {
  const { scores } = readAnswers(layout.compiled, answers);
  const centredScores = { ideal: centreScores(scores.ideal), current: centreScores(scores.current) };
  const errorsById = new Map(errors.map((value) => [value.valueId, value]));
  return layout.values.map((value, index) => {
    const { valueId } = value;
    const gap = findGap(layout, value, answers);
    return mapMeasures(valueId, (measure) => {
      const points = measure === "gap" ? gap : centredScores[measure]?.[index];
      if (gap === null || points == null) return null;
      const error = errorsById.get(valueId)?.[measure]?.standardError ?? null;
      const norm = at(norms.values, index)[measure];
      if ("percentiles" in norm) return { ...computeStanding(norm, points, error), standardError: null };
      const { distribution, standardError } = norm;
      // Many people of a partner have the same gap: from the middle of its bin, half of them count as below it.
      const x = measure === "gap" ? scoreBins.from + scoreBins.step * (findBin(scoreBins, points) + 0.5) : points;
      return distribution && { ...computeStanding(distribution, x, error), standardError };
    });
  });
}

/** Both errors are independent: at each end, their effects on the rank add up as squares. */
function computeStanding(distribution: Distribution, x: number, error: number | null) {
  const { rank, halfWidth } = findRank(distribution, x);
  const findDistance = (errors: number) => findRank(distribution, x + errors * (error ?? 0)).rank - rank;
  const lowest = roundRank(rank - Math.hypot(findDistance(-z95), halfWidth));
  const highest = roundRank(rank + Math.hypot(findDistance(z95), halfWidth));
  return {
    ...roundNumbers({ percentile: roundRank(rank), halfWidth, tScore: computeTScore(x, distribution) }),
    percentileRange: error === null ? null : ([lowest, highest] as const),
  };
}
