// How one session stands among others, from released numbers.
import type { Standing, ValueStanding } from "../quality/quality.ts";
import type { Answers } from "../scoring/formulas/cells.ts";
import { at } from "../scoring/lists.ts";
import { roundingTo } from "../scoring/rounding.ts";
import { stepsIn } from "./accumulators/contribution.ts";
import type { NormLayout, ValueLayout } from "./accumulators/layout.ts";
import type { MeasureNumbers, NormNumbers } from "./numbers.ts";
import { percentileHalfWidth, tScore } from "./statistics/histogram.ts";

const round2 = roundingTo(2);

/** Every value of a session among `n` people, in ascending value id; null if a statement is unanswered. */
export function standingsOf(layout: NormLayout, { values }: NormNumbers, n: number, answers: Answers): ValueStanding[] {
  return layout.values.map((value, index) => {
    const { valueId } = value;
    const steps = stepsIn(layout, value, answers);
    if (steps === null) return { valueId, ideal: null, current: null, gap: null };
    const numbers = at(values, index);
    const step = 100 / (value.scoreSteps - 1);
    return {
      valueId,
      ideal: standing(numbers.ideal, steps.ideal, step * steps.ideal, n),
      current: standing(numbers.current, steps.current, step * steps.current, n),
      gap: standing(numbers.gap, steps.gap, step * (steps.gap - middleOf(value)), n),
    };
  });
}

function middleOf({ scoreSteps }: ValueLayout): number {
  return scoreSteps - 1;
}

function standing(numbers: MeasureNumbers, step: number, points: number, n: number): Standing {
  const percentile = at(numbers.percentiles, step);
  const t = tScore(points, numbers);
  return {
    percentile,
    halfWidth: round2(percentileHalfWidth(percentile, n)),
    tScore: t === null ? null : round2(t),
    standardError: numbers.standardError,
  };
}
