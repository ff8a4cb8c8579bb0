// Sums over people, in whole numbers: the order of adding has no influence.
import type { CompiledQuality } from "../quality/compile.ts";
import type { ArrivalTimes } from "../quality/model.ts";
import { readAnswers, readSession } from "../quality/read-answers.ts";
import { assessResponse, isUsable } from "../quality/response.ts";
import { centreScores } from "../quality/statistics.ts";
import { type Answers, readAnswer, scoreItem } from "../scoring/cells.ts";
import { addUp, at } from "../scoring/exact.ts";
import type { Measure } from "../scoring/model.ts";
import { type Bins, findBin, type NormLayout, scoreBins, totalBins, type ValueLayout } from "./layout.ts";

/** Sums over the first sessions of people. */
export interface Sums {
  people: number;
  /** Number of those who answered on hosted pages. */
  hosted: number;
  /** Months of the first and of the last completion in UTC, as `2026-11`; empty without people. */
  firstMonth: string;
  lastMonth: string;
  /** In the order of the layout. */
  readonly values: readonly ValueSums[];
  /** Histograms. */
  readonly totalGap: number[];
  readonly harmony: number[];
  readonly conflict: number[];
}

export interface ValueSums {
  /** Of the keyed points of each item of the layout. */
  readonly sums: number[];
  /** Of the products of every two items. */
  readonly products: number[][];
  /** Histograms of centred scores, and of gaps. */
  readonly ideal: number[];
  readonly current: number[];
  readonly gap: number[];
}

/** Sums over pairs of sessions: weighted changes of keyed points, second minus first. */
export interface RetestSums {
  pairs: number;
  readonly values: readonly Readonly<Record<Measure, ChangeSums>>[];
}

export interface ChangeSums {
  sum: number;
  squares: number;
}

/** One completed session, as norms count it. */
export interface Contribution {
  /** One entry for each question of the version. */
  readonly answers: Answers;
  readonly completedAt: Date;
  readonly isHosted: boolean;
}

const zeros = (length: number) => Array<number>(length).fill(0);

/** The sums over no people. */
export function createSums({ values }: NormLayout): Sums {
  return {
    people: 0,
    hosted: 0,
    firstMonth: "",
    lastMonth: "",
    values: values.map(({ items }) => ({
      sums: zeros(items.length),
      products: items.map(() => zeros(items.length)),
      ideal: zeros(scoreBins.count),
      current: zeros(scoreBins.count),
      gap: zeros(scoreBins.count),
    })),
    totalGap: zeros(totalBins.count),
    harmony: zeros(totalBins.count),
    conflict: zeros(totalBins.count),
  };
}

/** The sums over no pairs. */
export function createRetestSums({ values }: NormLayout): RetestSums {
  const none = () => ({ sum: 0, squares: 0 });
  return { pairs: 0, values: values.map(() => ({ ideal: none(), current: none(), gap: none() })) };
}

/** Adds a complete session. @throws RangeError, without adding anything, if a statement that counts is not answered */
export function countSession(layout: NormLayout, sums: Sums, { answers, completedAt, isHosted }: Contribution): void {
  const { evaluation, scores } = readSession(layout.compiled, answers);
  const points = layout.values.map((value) => readPoints(value, answers));
  const [ideal, current] = [centreScores(scores.ideal), centreScores(scores.current)];
  layout.values.forEach((value, index) => {
    const valueSums = at(sums.values, index);
    const itemPoints = at(points, index);
    itemPoints.forEach((point, i) => {
      addScore(valueSums.sums, i, point);
      const products = at(valueSums.products, i);
      itemPoints.forEach((other, j) => {
        addScore(products, j, point * other);
      });
    });
    countScore(scoreBins, valueSums.ideal, ideal?.[index]);
    countScore(scoreBins, valueSums.current, current?.[index]);
    countScore(scoreBins, valueSums.gap, computeGap(layout, value, itemPoints));
  });
  countScore(totalBins, sums.totalGap, evaluation.totalGap?.total);
  countScore(totalBins, sums.harmony, evaluation.harmony.total);
  countScore(totalBins, sums.conflict, evaluation.conflict.total);
  const month = completedAt.toISOString().slice(0, 7);
  if (sums.people === 0 || month < sums.firstMonth) sums.firstMonth = month;
  if (month > sums.lastMonth) sums.lastMonth = month;
  sums.people += 1;
  if (isHosted) sums.hosted += 1;
}

/** Adds a pair of complete sessions. */
export function countRetest(layout: NormLayout, sums: RetestSums, [first, second]: readonly [Answers, Answers]): void {
  layout.values.forEach((value, index) => {
    const before = weighPoints(value, readPoints(value, first));
    const after = weighPoints(value, readPoints(value, second));
    for (const measure of ["ideal", "current", "gap"] as const) {
      const change = after[measure] - before[measure];
      const changeSums = at(sums.values, index)[measure];
      changeSums.sum += change;
      changeSums.squares += change * change;
    }
  });
  sums.pairs += 1;
}

/** The gap of a value in points; null unless all its statements are answered in both lives. */
export function findGap(layout: NormLayout, value: ValueLayout, answers: Answers): number | null {
  if (value.items.some((item) => readAnswer(item, answers) === null)) return null;
  return computeGap(layout, value, readPoints(value, answers));
}

function computeGap({ compiled }: NormLayout, value: ValueLayout, points: readonly number[]): number {
  return (100 * weighPoints(value, points).gap) / (compiled.scale.span * addUp(value.weights));
}

/** Weighted sums of the keyed points of each life, and their difference. */
function weighPoints({ weights }: ValueLayout, points: readonly number[]) {
  const weigh = (offset: number) => addUp(weights.map((w, i) => w * at(points, offset + i)));
  const [ideal, current] = [weigh(0), weigh(weights.length)];
  return { ideal, current, gap: ideal - current };
}

function readPoints({ items }: ValueLayout, answers: Answers): number[] {
  return items.map((item) => {
    const points = scoreItem(item, answers);
    if (points === null) throw new RangeError(`question ${item.questionId} is not answered`);
    return points;
  });
}

function countScore(bins: Bins, counts: number[], points: number | null = null): void {
  if (points !== null) addScore(counts, findBin(bins, points));
}

function addScore(sums: number[], place: number, amount = 1): void {
  sums[place] = (sums[place] ?? 0) + amount;
}

/** True for a complete session whose answers have the grade good or caution. */
export function isEligible(compiled: CompiledQuality, answers: Answers, times: ArrivalTimes | null): boolean {
  const session = readAnswers(compiled, answers);
  if (session.ratings.length < compiled.questionCount) return false;
  return isUsable(assessResponse(compiled, session, times).grade);
}
