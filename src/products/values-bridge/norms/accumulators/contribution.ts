// What one person adds to the accumulators, and what erasing them takes away again: the same whole numbers.
import { readSession } from "../../quality/session.ts";
import { type Answers, answerTo, keyedAnswer } from "../../scoring/formulas/cells.ts";
import { at } from "../../scoring/lists.ts";
import { halfPoints, type NormLayout, strata, type ValueLayout } from "./layout.ts";

/** Whole numbers, in the order of the layout. */
export type Sums = Float64Array;

/** 1 adds a contribution, -1 takes it away. */
export type Sign = 1 | -1;

/**
 * Adds a complete session to accumulators of a layout, or takes it away.
 * @param answers one entry for each question of the version
 * @throws RangeError if a statement that counts is not answered
 */
export function countSession(layout: NormLayout, sums: Sums, answers: Answers, sign: Sign): void {
  const { evaluation } = readSession(layout.compiled, answers);
  // All points are read before the first number changes.
  const points = layout.values.map((value) => pointsOf(value, answers));
  const { span } = layout.compiled.scale;
  layout.values.forEach((value, index) => {
    countValue(value, sums, at(points, index), span, sign);
  });
  const totals = [
    [layout.totalGap, evaluation.totalGap?.total ?? null],
    [layout.harmony, evaluation.harmony.total],
    [layout.conflict, evaluation.conflict.total],
  ] as const;
  for (const [from, total] of totals) if (total !== null) add(sums, from + Math.floor(2 * total + 0.5), sign);
}

/** Adds a pair of complete sessions to retest accumulators, or takes it away: weighted changes of keyed points. */
export function countRetest(
  layout: NormLayout,
  sums: Sums,
  [first, second]: readonly [Answers, Answers],
  sign: Sign,
): void {
  const changes = layout.values.flatMap((value) => {
    const [before, after] = [pointsOf(value, first), pointsOf(value, second)];
    const k = value.weights.length;
    const changeIn = (offset: number) =>
      value.weights.reduce((sum, w, i) => sum + w * (at(after, offset + i) - at(before, offset + i)), 0);
    const [ideal, current] = [changeIn(0), changeIn(k)];
    return [ideal, current, ideal - current];
  });
  changes.forEach((change, place) => {
    add(sums, 2 * place, sign * change);
    add(sums, 2 * place + 1, sign * change * change);
  });
}

function countValue(value: ValueLayout, sums: Sums, points: readonly number[], span: number, sign: Sign): void {
  const size = points.length;
  const k = size / 2;
  let place = value.products;
  for (let i = 0; i < size; i += 1) {
    const point = at(points, i);
    add(sums, value.sums + i, sign * point);
    for (let j = i; j < size; j += 1) {
      add(sums, place, sign * point * at(points, j));
      place += 1;
    }
  }
  const cells = [points.slice(0, k), points.slice(k)] as const;
  const [ideal, current] = cells.map((cell) => cell.reduce((sum, point) => sum + point, 0)) as [number, number];
  [ideal, current].forEach((sum, life) => {
    const stratum = Math.floor((strata * sum) / (k * span + 1));
    for (let i = life * k; i < (life + 1) * k; i += 1) {
      add(sums, value.counts + (i * strata + stratum) * (span + 1) + at(points, i), sign);
    }
  });
  const steps = stepsOf(value, points, span);
  add(sums, value.ideal + steps.ideal, sign);
  add(sums, value.current + steps.current, sign);
  add(sums, value.gap + steps.gap, sign);
}

/** Where the scores and the gap of a value stand in their histograms. */
export interface Steps {
  readonly ideal: number;
  readonly current: number;
  readonly gap: number;
}

/** The steps of a value in a session; null unless all its statements are answered in both lives. */
export function stepsIn(layout: NormLayout, value: ValueLayout, answers: Answers): Steps | null {
  if (value.items.some((item) => answerTo(item, answers) === null)) return null;
  return stepsOf(value, pointsOf(value, answers), layout.compiled.scale.span);
}

function stepsOf(
  { weights, isEquallyWeighted, scoreSteps }: ValueLayout,
  points: readonly number[],
  span: number,
): Steps {
  const k = weights.length;
  const weighted = (offset: number) => weights.reduce((sum, w, i) => sum + w * at(points, offset + i), 0);
  const [ideal, current] = [weighted(0), weighted(k)];
  if (isEquallyWeighted) return { ideal, current, gap: ideal - current + scoreSteps - 1 };
  const most = span * weights.reduce((sum, w) => sum + w, 0);
  const step = (sum: number) => Math.floor((halfPoints * sum) / most + 0.5);
  return { ideal: step(ideal), current: step(current), gap: step(ideal - current) + halfPoints };
}

function pointsOf({ items }: ValueLayout, answers: Answers): number[] {
  return items.map((item) => {
    const answer = answerTo(item, answers);
    if (answer === null) throw new RangeError(`question ${item.questionId} is not answered`);
    return keyedAnswer(item, answer);
  });
}

function add(sums: Sums, place: number, what: number): void {
  sums[place] = (sums[place] ?? 0) + what;
}
