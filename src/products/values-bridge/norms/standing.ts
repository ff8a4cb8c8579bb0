// How one session stands among others.
import type { SessionError, Standing, ValueStanding } from "../quality/quality.ts";
import { rounded } from "../quality/rounding.ts";
import { readAnswers } from "../quality/sheet.ts";
import type { Answers } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
import type { Measure } from "../scoring/model.ts";
import type { NormLayout } from "./layout.ts";
import type { MeasureNumbers, NormNumbers } from "./numbers.ts";
import type { PooledNumbers } from "./pool/pooled-numbers.ts";
import { type Distribution, percentileHalfWidth, rankAt, tScore, wholeRank } from "./statistics/distribution.ts";
import { centredScores, stepsIn } from "./sums.ts";

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
  const centred = centredIn(layout, answers);
  const errorOf = errorsOf(errors);
  return layout.values.map((value, index) => {
    const { valueId } = value;
    const steps = stepsIn(layout, value, answers);
    if (steps === null) return { valueId, ideal: null, current: null, gap: null };
    const step = 100 / (value.scoreSteps - 1);
    const score = (life: "ideal" | "current"): Standing | null => {
      const numbers = at(values, index)[life];
      const own = centred[life]?.[index] ?? null;
      if (numbers.centred === null || own === null) return null;
      const raw = rawStanding(numbers, steps[life], step * steps[life], n);
      const { standardError } = numbers;
      return {
        ...standingIn(numbers.centred, own, errorOf(valueId, life)),
        standardError,
        rawPercentile: raw.percentile,
        rawTScore: raw.tScore,
      };
    };
    const { gap } = at(values, index);
    const { percentiles } = gap;
    const halfWidths = percentiles.map((rank) => percentileHalfWidth(rank, n));
    const points = step * (steps.gap - (value.scoreSteps - 1));
    return {
      valueId,
      ideal: score("ideal"),
      current: score("current"),
      gap: {
        ...rawStanding(gap, steps.gap, points, n),
        percentileRange: rangeIn({ from: -100, step, percentiles, halfWidths }, points, errorOf(valueId, "gap")),
        standardError: gap.standardError,
        ...noRaw,
      },
    };
  });
}

/** The same among the people of all partners, from pooled norms alone. */
export function standingsAmongAll(
  layout: NormLayout,
  { values }: PooledNumbers,
  answers: Answers,
  errors: OwnErrors,
): ValueStanding[] {
  const centred = centredIn(layout, answers);
  const errorOf = errorsOf(errors);
  return layout.values.map((value, index) => {
    const { valueId, scoreSteps } = value;
    const steps = stepsIn(layout, value, answers);
    const standing = (distribution: Distribution, x: number | null, measure: Measure): Standing | null =>
      steps === null || x === null
        ? null
        : { ...standingIn(distribution, x, errorOf(valueId, measure)), standardError: null, ...noRaw };
    const { ideal, current, gap } = at(values, index);
    const gapPoints = steps === null ? null : (100 * (steps.gap - (scoreSteps - 1))) / (scoreSteps - 1);
    return {
      valueId,
      ideal: standing(ideal, centred.ideal?.[index] ?? null, "ideal"),
      current: standing(current, centred.current?.[index] ?? null, "current"),
      gap: standing(gap, gapPoints, "gap"),
    };
  });
}

function centredIn({ compiled }: NormLayout, answers: Answers) {
  const { scores } = readAnswers(compiled, answers);
  return { ideal: centredScores(scores.ideal), current: centredScores(scores.current) };
}

const noRaw = { rawPercentile: null, rawTScore: null };

/** The standard errors of the person's own scores and gaps. */
type OwnErrors = SessionError["values"];

function errorsOf(errors: OwnErrors) {
  const byId = new Map(errors.map((value) => [value.valueId, value]));
  return (valueId: number, measure: Measure) => byId.get(valueId)?.[measure]?.standardError ?? null;
}

type Place = Pick<Standing, "percentile" | "halfWidth" | "tScore">;

function standingIn(distribution: Distribution, x: number, error: number | null) {
  const { rank, halfWidth } = rankAt(distribution, x);
  const place: Place = rounded({ percentile: wholeRank(rank), halfWidth, tScore: tScore(x, distribution) });
  return { ...place, percentileRange: rangeIn(distribution, x, error) };
}

/** Both errors are independent: at each end, the squares of what they make of the rank add up. */
function rangeIn(distribution: Parameters<typeof rankAt>[0], x: number, error: number | null): [number, number] | null {
  if (error === null) return null;
  const { rank, halfWidth } = rankAt(distribution, x);
  const [below, above] = [-1.96, 1.96].map((errors) => rankAt(distribution, x + errors * error).rank - rank);
  return [wholeRank(rank - Math.hypot(below ?? 0, halfWidth)), wholeRank(rank + Math.hypot(above ?? 0, halfWidth))];
}

function rawStanding(numbers: MeasureNumbers, step: number, points: number, n: number): Place {
  const percentile = at(numbers.percentiles, step);
  return rounded({ percentile, halfWidth: percentileHalfWidth(percentile, n), tScore: tScore(points, numbers) });
}
