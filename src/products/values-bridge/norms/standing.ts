// How one session stands among others.
import type { SessionError, Standing, ValueStanding } from "../quality/quality.ts";
import { readAnswers } from "../quality/read-answers.ts";
import { rounded } from "../quality/rounding.ts";
import { centredScores } from "../quality/statistics.ts";
import type { Answers } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import { type Measure, ofMeasures } from "../scoring/model.ts";
import { findBin, type NormLayout, scoreBins } from "./layout.ts";
import type { NormNumbers } from "./numbers.ts";
import type { PooledNumbers } from "./pool/pooled-numbers.ts";
import { type Distribution, rankAt, tScore, wholeRank } from "./statistics/distribution.ts";
import { findGap } from "./sums.ts";

/**
 * Every value of a session among people of its partner, in ascending value id; null if a statement is unanswered.
 * Scores are compared centred, gaps as they are.
 */
export function standingsAmongOwn(
  layout: NormLayout,
  { values }: NormNumbers,
  answers: Answers,
  errors: OwnErrors,
): ValueStanding[] {
  return standings(layout, answers, errors, ({ measure, index, x, error }) => {
    const { distribution, standardError } = at(values, index)[measure];
    if (distribution === null) return null;
    // Many people have the same gap: half of them are counted as below it, as they are in the middle of a bin.
    const place = measure === "gap" ? scoreBins.from + scoreBins.step * (findBin(scoreBins, x) + 0.5) : x;
    return { ...standingIn(distribution, place, error), standardError };
  });
}

/** The same among the people of all partners, from pooled norms alone. */
export function standingsAmongAll(
  layout: NormLayout,
  { values }: PooledNumbers,
  answers: Answers,
  errors: OwnErrors,
): ValueStanding[] {
  return standings(layout, answers, errors, ({ measure, index, x, error }) => {
    return { ...standingIn(at(values, index)[measure], x, error), standardError: null };
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

function standings(
  layout: NormLayout,
  answers: Answers,
  errors: OwnErrors,
  toStanding: (score: ValueScore) => Standing | null,
): ValueStanding[] {
  const { scores } = readAnswers(layout.compiled, answers);
  const ownCentredScores = { ideal: centredScores(scores.ideal), current: centredScores(scores.current) };
  const errorsById = new Map(errors.map((value) => [value.valueId, value]));
  return layout.values.map((value, index) => {
    const { valueId } = value;
    const gap = findGap(layout, value, answers);
    return ofMeasures(valueId, (measure) => {
      if (gap === null) return null;
      const x = measure === "gap" ? gap : (ownCentredScores[measure]?.[index] ?? null);
      const error = errorsById.get(valueId)?.[measure]?.standardError ?? null;
      return x === null ? null : toStanding({ measure, index, x, error });
    });
  });
}

function standingIn(distribution: Distribution, x: number, error: number | null) {
  const { rank, halfWidth } = rankAt(distribution, x);
  return {
    ...rounded({ percentile: wholeRank(rank), halfWidth, tScore: tScore(x, distribution) }),
    percentileRange: rangeIn(distribution, x, error),
  };
}

/** Both errors are independent: at each end, the squares of what they make of the rank add up. */
function rangeIn(distribution: Distribution, x: number, error: number | null): [number, number] | null {
  if (error === null) return null;
  const { rank, halfWidth } = rankAt(distribution, x);
  const [below, above] = [-1.96, 1.96].map((errors) => rankAt(distribution, x + errors * error).rank - rank);
  return [wholeRank(rank - Math.hypot(below ?? 0, halfWidth)), wholeRank(rank + Math.hypot(above ?? 0, halfWidth))];
}
