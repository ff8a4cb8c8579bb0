// How one session stands among others.
import type { Standing, ValueStanding } from "../quality/quality.ts";
import { rounded } from "../quality/rounding.ts";
import { readAnswers } from "../quality/sheet.ts";
import type { Answers } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";
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
): ValueStanding[] {
  const centred = centredIn(layout, answers);
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
        ...standingIn(numbers.centred, own),
        standardError,
        rawPercentile: raw.percentile,
        rawTScore: raw.tScore,
      };
    };
    const { gap } = at(values, index);
    return {
      valueId,
      ideal: score("ideal"),
      current: score("current"),
      gap: {
        ...rawStanding(gap, steps.gap, step * (steps.gap - (value.scoreSteps - 1)), n),
        standardError: gap.standardError,
        ...noRaw,
      },
    };
  });
}

/** The same among the people of all partners, from pooled norms alone. */
export function standingsAmongAll(layout: NormLayout, { values }: PooledNumbers, answers: Answers): ValueStanding[] {
  const centred = centredIn(layout, answers);
  return layout.values.map((value, index) => {
    const { valueId, scoreSteps } = value;
    const steps = stepsIn(layout, value, answers);
    const standing = (distribution: Distribution, x: number | null): Standing | null =>
      steps === null || x === null ? null : { ...standingIn(distribution, x), standardError: null, ...noRaw };
    const { ideal, current, gap } = at(values, index);
    const gapPoints = steps === null ? null : (100 * (steps.gap - (scoreSteps - 1))) / (scoreSteps - 1);
    return {
      valueId,
      ideal: standing(ideal, centred.ideal?.[index] ?? null),
      current: standing(current, centred.current?.[index] ?? null),
      gap: standing(gap, gapPoints),
    };
  });
}

function centredIn({ compiled }: NormLayout, answers: Answers) {
  const { scores } = readAnswers(compiled, answers);
  return { ideal: centredScores(scores.ideal), current: centredScores(scores.current) };
}

const noRaw = { rawPercentile: null, rawTScore: null };

type Place = Pick<Standing, "percentile" | "halfWidth" | "tScore">;

function standingIn(distribution: Distribution, x: number): Place {
  const { rank, halfWidth } = rankAt(distribution, x);
  return rounded({ percentile: wholeRank(rank), halfWidth, tScore: tScore(x, distribution) });
}

function rawStanding(numbers: MeasureNumbers, step: number, points: number, n: number): Place {
  const percentile = at(numbers.percentiles, step);
  return rounded({ percentile, halfWidth: percentileHalfWidth(percentile, n), tScore: tScore(points, numbers) });
}
