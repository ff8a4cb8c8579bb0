// How one session stands among other people.
import type { SessionError, Standing, ValueStanding } from "../quality/quality.ts";
import { readAnswers } from "../quality/read-answers.ts";
import { roundNumbers } from "../quality/rounding.ts";
import { centreScores, z95 } from "../quality/statistics.ts";
import type { Answers } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import { type Measure, mapMeasures } from "../scoring/model.ts";
import { findBin, type NormLayout, scoreBins } from "./layout.ts";
import type { NormNumbers } from "./numbers.ts";
import type { PooledNumbers } from "./pool/pooled-numbers.ts";
import { computeTScore, type Distribution, findRank, roundRank } from "./statistics/distribution.ts";
import { findGap } from "./sums.ts";

/** The values of a session among people of its partner, in ascending value id; null if a statement is unanswered. */
export function computePartnerStandings(
  layout: NormLayout,
  { values }: NormNumbers,
  answers: Answers,
  errors: OwnErrors,
): ValueStanding[] {
  return computeStandings(layout, answers, errors, (measure, index, points) => {
    const { distribution, standardError } = at(values, index)[measure];
    // Many people have the same gap: from the middle of its bin, half of them count as below it.
    const x = measure === "gap" ? scoreBins.from + scoreBins.step * (findBin(scoreBins, points) + 0.5) : points;
    return distribution && { distribution, x, standardError };
  });
}

/** The same among the people of all partners, from pooled norms. */
export function computePooledStandings(
  layout: NormLayout,
  { values }: PooledNumbers,
  answers: Answers,
  errors: OwnErrors,
): ValueStanding[] {
  return computeStandings(layout, answers, errors, (measure, index, x) => ({
    distribution: at(values, index)[measure],
    x,
    standardError: null,
  }));
}

/** The standard errors of the session's scores and gaps. */
type OwnErrors = SessionError["values"];

/**
 * The distribution of a measure of the value at an index, and the place in it of the session's own: a centred score or a gap,
 * in points. Null: there is no norm.
 */
type FindNorm = (
  measure: Measure,
  index: number,
  points: number,
) => (Pick<Standing, "standardError"> & { readonly distribution: Distribution; readonly x: number }) | null;

function computeStandings(
  layout: NormLayout,
  answers: Answers,
  errors: OwnErrors,
  findNorm: FindNorm,
): ValueStanding[] {
  const { scores } = readAnswers(layout.compiled, answers);
  const ownCentredScores = { ideal: centreScores(scores.ideal), current: centreScores(scores.current) };
  const errorsById = new Map(errors.map((value) => [value.valueId, value]));
  return layout.values.map((value, index) => {
    const { valueId } = value;
    const gap = findGap(layout, value, answers);
    return mapMeasures(valueId, (measure) => {
      if (gap === null) return null;
      const points = measure === "gap" ? gap : (ownCentredScores[measure]?.[index] ?? null);
      const norm = points === null ? null : findNorm(measure, index, points);
      if (norm === null) return null;
      const error = errorsById.get(valueId)?.[measure]?.standardError ?? null;
      return { ...computeStanding(norm.distribution, norm.x, error), standardError: norm.standardError };
    });
  });
}

function computeStanding(distribution: Distribution, x: number, error: number | null) {
  const { rank, halfWidth } = findRank(distribution, x);
  return {
    ...roundNumbers({ percentile: roundRank(rank), halfWidth, tScore: computeTScore(x, distribution) }),
    percentileRange: computeRange(distribution, x, error),
  };
}

/** Both errors are independent: at each end, their effects on the rank add up as squares. */
function computeRange(distribution: Distribution, x: number, error: number | null): [number, number] | null {
  if (error === null) return null;
  const { rank, halfWidth } = findRank(distribution, x);
  const [below, above] = [-z95, z95].map((errors) => findRank(distribution, x + errors * error).rank - rank);
  return [roundRank(rank - Math.hypot(below ?? 0, halfWidth)), roundRank(rank + Math.hypot(above ?? 0, halfWidth))];
}
