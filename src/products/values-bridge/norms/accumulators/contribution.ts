// What one person adds to the accumulators: whole numbers.
import type { CompiledQuality } from "../../quality/compile.ts";
import type { ArrivalTimes } from "../../quality/model.ts";
import { isUsable, judgeResponse } from "../../quality/response.ts";
import { leastCells, meanOf } from "../../quality/samples.ts";
import { readAnswers, readSession } from "../../quality/sheet.ts";
import { type Answers, answerTo, keyedAnswer } from "../../scoring/formulas/cells.ts";
import { at } from "../../scoring/lists.ts";
import {
  centredBins,
  centredStep,
  firstYear,
  halfPoints,
  months,
  type NormLayout,
  type ValueLayout,
} from "./layout.ts";

/** Whole numbers, in the order of the layout. */
export type Sums = Float64Array;

/** What norms count of one completed session. */
export interface Contribution {
  /** One entry for each question of the version. */
  readonly answers: Answers;
  readonly completedAt: Date;
  readonly isHosted: boolean;
}

/**
 * Adds a complete session to accumulators of a layout.
 * @throws RangeError if a statement that counts is not answered
 */
export function countSession(layout: NormLayout, sums: Sums, contribution: Contribution): void {
  const { answers, completedAt, isHosted } = contribution;
  const { evaluation, scores } = readSession(layout.compiled, answers);
  // All points are read before the first number changes.
  const points = layout.values.map((value) => pointsOf(value, answers));
  const { span } = layout.compiled.scale;
  const centred = { ideal: centredBinsOf(scores.ideal), current: centredBinsOf(scores.current) };
  layout.values.forEach((value, index) => {
    countValue(value, sums, at(points, index), span);
    if (centred.ideal !== null) add(sums, value.centredIdeal + at(centred.ideal, index), 1);
    if (centred.current !== null) add(sums, value.centredCurrent + at(centred.current, index), 1);
  });
  const totals = [
    [layout.totalGap, evaluation.totalGap?.total ?? null],
    [layout.harmony, evaluation.harmony.total],
    [layout.conflict, evaluation.conflict.total],
  ] as const;
  for (const [from, total] of totals) if (total !== null) add(sums, from + Math.floor(2 * total + 0.5), 1);
  if (isHosted) add(sums, layout.hosted, 1);
  const month = 12 * (completedAt.getUTCFullYear() - firstYear) + completedAt.getUTCMonth();
  add(sums, layout.months + Math.min(months - 1, Math.max(0, month)), 1);
}

/**
 * Scores of one life in points, less their mean; null with fewer than 10 of them.
 * @param scores exact, 0 to 1
 */
export function centredScores(scores: readonly (number | null)[]): (number | null)[] | null {
  const known = scores.filter((score) => score !== null);
  if (known.length < leastCells) return null;
  const mean = meanOf(known);
  return scores.map((score) => (score === null ? null : 100 * (score - mean)));
}

/** The steps of complete scores in their histograms. What mathematics puts on an edge, sums of doubles may miss. */
function centredBinsOf(scores: readonly (number | null)[]): number[] | null {
  const centred = centredScores(scores);
  if (centred === null) return null;
  return centred.map((score) => {
    if (score === null) throw new RangeError("a value without a score");
    return Math.min(centredBins - 1, Math.floor((score + 100) / centredStep + 1e-9));
  });
}

/** Adds a pair of complete sessions to retest accumulators: weighted changes of keyed points. */
export function countRetest(layout: NormLayout, sums: Sums, [first, second]: readonly [Answers, Answers]): void {
  const changes = layout.values.flatMap((value) => {
    const [before, after] = [pointsOf(value, first), pointsOf(value, second)];
    const k = value.weights.length;
    const changeIn = (offset: number) =>
      value.weights.reduce((sum, w, i) => sum + w * (at(after, offset + i) - at(before, offset + i)), 0);
    const [ideal, current] = [changeIn(0), changeIn(k)];
    return [ideal, current, ideal - current];
  });
  changes.forEach((change, place) => {
    add(sums, 2 * place, change);
    add(sums, 2 * place + 1, change * change);
  });
  add(sums, layout.retestLength - 1, 1);
}

function countValue(value: ValueLayout, sums: Sums, points: readonly number[], span: number): void {
  const size = points.length;
  let place = value.products;
  for (let i = 0; i < size; i += 1) {
    const point = at(points, i);
    add(sums, value.sums + i, point);
    for (let j = i; j < size; j += 1) {
      add(sums, place, point * at(points, j));
      place += 1;
    }
  }
  const steps = stepsOf(value, points, span);
  add(sums, value.ideal + steps.ideal, 1);
  add(sums, value.current + steps.current, 1);
  add(sums, value.gap + steps.gap, 1);
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

/** Whether a session is complete, and its answers are good or to be taken with caution. */
export function isEligible(compiled: CompiledQuality, answers: Answers, times: ArrivalTimes | null): boolean {
  const session = readAnswers(compiled, answers);
  if (session.sheet.ratings.length < compiled.asked) return false;
  return isUsable(judgeResponse(compiled, session, times).grade);
}
