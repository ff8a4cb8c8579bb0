// How one session stands among others.
import type { SessionError, Standing, ValueStanding } from "../quality/quality.ts";
import { readAnswers } from "../quality/read-answers.ts";
import { roundNumbers } from "../quality/rounding.ts";
import { centreScores } from "../quality/statistics.ts";
import type { Answers } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import { type Measure, mapMeasures } from "../scoring/model.ts";
import { findBin, type NormLayout, scoreBins } from "./layout.ts";
import type { NormNumbers } from "./numbers.ts";
import type { PooledNumbers } from "./pool/pooled-numbers.ts";
import { computeTScore, type Distribution, findRank, roundRank } from "./statistics/distribution.ts";
import { findGap } from "./sums.ts";

/**
 * Every value of a session among people of its partner, in ascending value id; null if a statement is unanswered.
 * Scores are compared centred, gaps as they are.
 */
export function computePartnerStandings(
  layout: NormLayout,
  { values }: NormNumbers,
  answers: Answers,
  errors: OwnErrors,
): ValueStanding[] {
  return computeStandings(layout, answers, errors, ({ measure, index, x, error }) => {
    const { distribution, standardError } = at(values, index)[measure];
    if (distribution === null) return null;
    // Many people have the same gap: half of them are counted as below it, as they are in the middle of a bin.
    const place = measure === "gap" ? scoreBins.from + scoreBins.step * (findBin(scoreBins, x) + 0.5) : x;
    return { ...computeStanding(distribution, place, error), standardError };
  });
}

/** The same among the people of all partners, from pooled norms alone. */
export function computePooledStandings(
  layout: NormLayout,
  { values }: PooledNumbers,
  answers: Answers,
  errors: OwnErrors,
): ValueStanding[] {
  return computeStandings(layout, answers, errors, ({ measure, index, x, error }) => {
    return { ...computeStanding(at(values, index)[measure], x, error), standardError: null };
  });
}

/** The standard errors of the person's own scores and gaps. */
type OwnErrors = SessionError["values"];

/** A centred score, or a gap, of the value at an index. */
interface ValueScore {
  readonly measure: Measure;
  readonly index: number;
  /** In points. */
  readonly x: number;
  /** Its standard error in this session; null if there is none. */
  readonly error: number | null;
}

function computeStandings(
  layout: NormLayout,
  answers: Answers,
  errors: OwnErrors,
  toStanding: (score: ValueScore) => Standing | null,
): ValueStanding[] {
  const { scores } = readAnswers(layout.compiled, answers);
  const ownCentredScores = { ideal: centreScores(scores.ideal), current: centreScores(scores.current) };
  const errorsById = new Map(errors.map((value) => [value.valueId, value]));
  return layout.values.map((value, index) => {
    const { valueId } = value;
    const gap = findGap(layout, value, answers);
    return mapMeasures(valueId, (measure) => {
      if (gap === null) return null;
      const x = measure === "gap" ? gap : (ownCentredScores[measure]?.[index] ?? null);
      const error = errorsById.get(valueId)?.[measure]?.standardError ?? null;
      return x === null ? null : toStanding({ measure, index, x, error });
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

/** Both errors are independent: at each end, the squares of what they make of the rank add up. */
function computeRange(distribution: Distribution, x: number, error: number | null): [number, number] | null {
  if (error === null) return null;
  const { rank, halfWidth } = findRank(distribution, x);
  const [below, above] = [-1.96, 1.96].map((errors) => findRank(distribution, x + errors * error).rank - rank);
  return [roundRank(rank - Math.hypot(below ?? 0, halfWidth)), roundRank(rank + Math.hypot(above ?? 0, halfWidth))];
}
