// Sums over people, in whole numbers: the order of adding has no influence.
import type { CompiledQuality } from "../quality/compile.ts";
import type { ArrivalTimes } from "../quality/model.ts";
import { readAnswers, readSession } from "../quality/read-answers.ts";
import { assessResponse, isUsable } from "../quality/response.ts";
import { centreScores } from "../quality/statistics.ts";
import { type Answers, readAnswer, scoreItem } from "../scoring/cells.ts";
import { addUp, at } from "../scoring/exact.ts";
import { type Bins, findBin, type NormLayout, scoreBins, totalBins, type ValueLayout } from "./layout.ts";

/** One completed session, as norms count it. */
export interface Contribution {
  /** One entry for each question of the version. */
  readonly answers: Answers;
  readonly completedAt: Date;
  readonly isHosted: boolean;
}

/** Sums over people: over their first sessions, and over pairs of such a session and a later one. */
export class NormSums {
  readonly layout: NormLayout;
  people = 0;
  /** Number of those who answered on hosted pages. */
  hosted = 0;
  /** Months of the first and of the last completion in UTC, as `2026-11`; empty without people. */
  firstMonth = "";
  lastMonth = "";
  pairs = 0;
  /** In the order of the layout. */
  readonly values: readonly ValueSums[];
  /** Histograms. */
  readonly totalGap = createZeros(totalBins.count);
  readonly harmony = createZeros(totalBins.count);
  readonly conflict = createZeros(totalBins.count);

  constructor(layout: NormLayout) {
    this.layout = layout;
    this.values = layout.values.map(createValueSums);
  }

  /** Adds a complete session. @throws RangeError, without adding anything, if a statement that counts is not answered */
  add({ answers, completedAt, isHosted }: Contribution): void {
    const { layout } = this;
    const { evaluation, scores } = readSession(layout.compiled, answers);
    const points = layout.values.map((value) => readPoints(value, answers));
    const [ideal, current] = [centreScores(scores.ideal), centreScores(scores.current)];
    layout.values.forEach((value, index) => {
      const valueSums = at(this.values, index);
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
      countScore(scoreBins, valueSums.gap, computeWeightedGap(layout, value, itemPoints));
    });
    countScore(totalBins, this.totalGap, evaluation.totalGap?.total);
    countScore(totalBins, this.harmony, evaluation.harmony.total);
    countScore(totalBins, this.conflict, evaluation.conflict.total);
    const month = completedAt.toISOString().slice(0, 7);
    if (this.people === 0 || month < this.firstMonth) this.firstMonth = month;
    if (month > this.lastMonth) this.lastMonth = month;
    this.people += 1;
    if (isHosted) this.hosted += 1;
  }

  /** Adds the first and the second session of a person, both complete. */
  addPair(first: Answers, second: Answers): void {
    this.layout.values.forEach((value, index) => {
      const before = weighPoints(value, readPoints(value, first));
      const after = weighPoints(value, readPoints(value, second));
      for (const measure of ["ideal", "current", "gap"] as const) {
        const change = after[measure] - before[measure];
        const changes = at(this.values, index).changes[measure];
        changes.sum += change;
        changes.squares += change * change;
      }
    });
    this.pairs += 1;
  }
}

export type ValueSums = ReturnType<typeof createValueSums>;

function createValueSums({ items }: ValueLayout) {
  const createChanges = () => ({ sum: 0, squares: 0 });
  return {
    /** Of the keyed points of each item of the layout. */
    sums: createZeros(items.length),
    /** Of the products of every two items. */
    products: items.map(() => createZeros(items.length)),
    /** Histograms of centred scores, and of gaps. */
    ideal: createZeros(scoreBins.count),
    current: createZeros(scoreBins.count),
    gap: createZeros(scoreBins.count),
    /** Of pairs: weighted changes of keyed points, second minus first. */
    changes: { ideal: createChanges(), current: createChanges(), gap: createChanges() },
  };
}

function createZeros(length: number): number[] {
  return Array<number>(length).fill(0);
}

/** The gap of a value in points; null unless all its statements are answered in both lives. */
export function findGap(layout: NormLayout, value: ValueLayout, answers: Answers): number | null {
  if (value.items.some((item) => readAnswer(item, answers) === null)) return null;
  return computeWeightedGap(layout, value, readPoints(value, answers));
}

function computeWeightedGap({ compiled }: NormLayout, value: ValueLayout, points: readonly number[]): number {
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
