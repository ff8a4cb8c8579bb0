// How one session stands among others.
import type { SessionError, Standing, ValueStanding } from "../quality/quality.ts";
import { readAnswers } from "../quality/read-answers.ts";
import { rounded } from "../quality/rounding.ts";
import { centredScores } from "../quality/statistics.ts";
import type { Answers } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import { type Measure, ofMeasures } from "../scoring/model.ts";
import type { NormLayout } from "./layout.ts";
import type { MeasureNumbers, NormNumbers } from "./numbers.ts";
import type { PooledNumbers } from "./pool/pooled-numbers.ts";
import { type Distribution, percentileHalfWidth, rankAt, tScore, wholeRank } from "./statistics/distribution.ts";
import { type Steps, stepsIn } from "./sums.ts";

/**
 * Every value of a session among `n` people of its partner, in ascending value id; null if a statement is unanswered.
 * Scores are compared centred, and raw beside it; gaps as they are.
 */
export function standingsAmongOwn(
  layout: NormLayout,
  { values }: NormNumbers,
  n: number,
  answers: Answers,
  errors: OwnErrors,
): ValueStanding[] {
  return standings(layout, answers, errors, ({ measure, index, x, error, steps }) => {
    const numbers = at(values, index)[measure];
    const { standardError } = numbers;
    const step = 100 / (at(layout.values, index).scoreSteps - 1);
    if (measure === "gap") {
      return { ...standingIn(midRanks(numbers, -100, step, n), x, error), standardError, ...noRaw };
    }
    if (numbers.centred === null) return null;
    const raw = standingIn(midRanks(numbers, 0, step, n), step * steps[measure], null);
    const rawNumbers = { rawPercentile: raw.percentile, rawTScore: raw.tScore };
    return { ...standingIn(numbers.centred, x, error), standardError, ...rawNumbers };
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
    return { ...standingIn(at(values, index)[measure], x, error), standardError: null, ...noRaw };
  });
}

const noRaw = { rawPercentile: null, rawTScore: null };

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
  readonly steps: Steps;
}

function standings(
  layout: NormLayout,
  answers: Answers,
  errors: OwnErrors,
  toStanding: (measured: ValueScore) => Standing | null,
): ValueStanding[] {
  const { scores } = readAnswers(layout.compiled, answers);
  const ownCentredScores = { ideal: centredScores(scores.ideal), current: centredScores(scores.current) };
  const errorsById = new Map(errors.map((value) => [value.valueId, value]));
  return layout.values.map((value, index) => {
    const { valueId, scoreSteps } = value;
    const steps = stepsIn(layout, value, answers);
    return ofMeasures(valueId, (measure) => {
      if (steps === null) return null;
      const gap = (100 * (steps.gap - scoreSteps + 1)) / (scoreSteps - 1);
      const x = measure === "gap" ? gap : (ownCentredScores[measure]?.[index] ?? null);
      const error = errorsById.get(valueId)?.[measure]?.standardError ?? null;
      return x === null ? null : toStanding({ measure, index, x, error, steps });
    });
  });
}

/** The numbers of people by steps of their scores, as a distribution with their ranks at each step. */
function midRanks({ mean, sd, percentiles }: MeasureNumbers, from: number, step: number, n: number): Distribution {
  return { mean, sd, from, step, percentiles, halfWidths: percentiles.map((rank) => percentileHalfWidth(rank, n)) };
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
