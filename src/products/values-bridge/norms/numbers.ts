// The numbers that accumulators give: of a partner's own people, exact and rounded.

import { at } from "../scoring/lists.ts";
import { roundingTo } from "../scoring/rounding.ts";
import type { Sums } from "./accumulators/contribution.ts";
import {
  centredBins,
  centredStep,
  firstYear,
  halfPoints,
  months,
  type NormLayout,
  type ValueLayout,
} from "./accumulators/layout.ts";
import { covariances, differenceCovariances, type Matrix, quadraticForm, submatrix } from "./statistics/covariance.ts";
import { type Distribution, distributionOf, wholeRank } from "./statistics/distribution.ts";
import { measurementError, momentsOf, percentileRanks } from "./statistics/histogram.ts";
import { omegaOf, oneFactor } from "./statistics/omega.ts";
import { type Reliability, reliabilityOf } from "./statistics/reliability.ts";

/** Fewer people are too few for any number. */
export const leastPeople = 30;
/** Fewer are too few for reliability, errors of measurement, and changes of people who answered again. */
export const leastForReliability = 100;

/** Norms of sessions, as they are returned and stored. */
export interface NormNumbers {
  readonly sample: Sample;
  /** In ascending value id. */
  readonly values: readonly ValueNumbers[];
  /** Null if nobody has that total. */
  readonly totalGap: TotalNumbers | null;
  readonly harmony: TotalNumbers | null;
  readonly conflict: TotalNumbers | null;
}

/** Who the people are: those who happened to come, not a sample that was drawn. */
export interface Sample {
  /** Months of the first and of the last completion in UTC, as `2026-11`. */
  readonly firstMonth: string;
  readonly lastMonth: string;
  /** Share of people who answered on hosted pages, 0..1. */
  readonly hostedShare: number;
}

export interface ValueNumbers {
  readonly valueId: number;
  readonly ideal: MeasureNumbers;
  readonly current: MeasureNumbers;
  readonly gap: MeasureNumbers;
}

/** One score or gap, in points. */
export interface MeasureNumbers {
  readonly mean: number;
  readonly sd: number;
  readonly alpha: number | null;
  readonly alphaInterval: readonly [number, number] | null;
  readonly lambda2: number | null;
  readonly omega: number | null;
  readonly standardError: number | null;
  readonly statements: readonly StatementNumbers[];
  /** Percentile rank, 1..99, of each step of the histogram. */
  readonly percentiles: readonly number[];
  /** Of the score less the mean of the person's scores in that life; null for gaps, and with fewer than 10 values. */
  readonly centred: Distribution | null;
}

export interface StatementNumbers {
  readonly questionId: number;
  /** Of the keyed answer. */
  readonly mean: number;
  readonly sd: number;
  readonly itemRest: number | null;
  readonly alphaIfDropped: number | null;
}

export interface TotalNumbers {
  readonly n: number;
  readonly mean: number;
  readonly sd: number;
  readonly percentiles: readonly number[];
}

/** Norms of people who answered again: changes in points, second minus first. */
export interface RetestNumbers {
  readonly values: readonly RetestValueNumbers[];
}

export interface RetestValueNumbers {
  readonly valueId: number;
  readonly ideal: RetestMoments;
  readonly current: RetestMoments;
  readonly gap: RetestMoments;
}

export interface RetestMoments {
  readonly mean: number;
  readonly sd: number;
}

const round2 = roundingTo(2);
const round4 = roundingTo(4);
const toFour = (value: number | null) => (value === null ? null : round4(value));
const toTwo = (value: number | null) => (value === null ? null : round2(value));

/** The numbers of all people in the sums, 2 or more. */
export function normNumbers(layout: NormLayout, sums: Sums): NormNumbers {
  const n = peopleIn(layout, sums);
  const totalAt = (from: number): TotalNumbers | null => {
    const counts = slice(sums, from, halfPoints + 1);
    const moments = momentsOf({ counts, from: 0, step: 0.5 });
    if (moments === null) return null;
    return { n: moments.n, mean: round2(moments.mean), sd: round2(moments.sd), percentiles: toldRanks(counts) };
  };
  return {
    sample: sampleOf(layout, sums, n),
    values: layout.values.map((value) => valueNumbers(layout, value, sums, n)),
    totalGap: totalAt(layout.totalGap),
    harmony: totalAt(layout.harmony),
    conflict: totalAt(layout.conflict),
  };
}

/** Number of people in the sums. */
export function peopleIn(layout: NormLayout, sums: Sums): number {
  return slice(sums, layout.months, months).reduce((sum, people) => sum + people, 0);
}

/** Number of pairs in the sums. */
export function pairsIn({ retestLength }: NormLayout, sums: Sums): number {
  return at(slice(sums, retestLength - 1, 1), 0);
}

function sampleOf(layout: NormLayout, sums: Sums, n: number): Sample {
  const byMonth = slice(sums, layout.months, months);
  const nameOf = (month: number) =>
    `${firstYear + Math.floor(month / 12)}-${String(1 + (month % 12)).padStart(2, "0")}`;
  return {
    firstMonth: nameOf(byMonth.findIndex((people) => people > 0)),
    lastMonth: nameOf(byMonth.findLastIndex((people) => people > 0)),
    hostedShare: round2(at(slice(sums, layout.hosted, 1), 0) / n),
  };
}

function valueNumbers(layout: NormLayout, value: ValueLayout, sums: Sums, n: number): ValueNumbers {
  const size = value.items.length;
  const k = size / 2;
  const sumsOfItems = slice(sums, value.sums, size);
  const products = slice(sums, value.products, (size * (size + 1)) / 2);
  const all = covariances({ n, sums: sumsOfItems, products });
  const points = 100 / (layout.compiled.scale.span * value.weights.reduce((sum, w) => sum + w, 0));
  const meanOf = (offset: number) =>
    value.weights.reduce((sum, w, i) => sum + (w * at(sumsOfItems, offset + i)) / n, 0);
  const isReliable = n >= leastForReliability;
  const life = (offset: number, histogram: number, centred: number): MeasureNumbers => {
    const matrix = submatrix(
      all,
      Array.from({ length: k }, (_, i) => offset + i),
    );
    const model = isReliable ? oneFactor(matrix) : null;
    const omega = model === null ? null : omegaOf(model, value.weights);
    const reliability = isReliable ? reliabilityOf(matrix, n) : unknownReliability;
    const statements = value.items.slice(offset, offset + k).map(
      ({ questionId }, i): StatementNumbers => ({
        questionId,
        mean: round2(at(sumsOfItems, offset + i) / n),
        sd: round2(Math.sqrt(at(at(matrix, i), i))),
        itemRest: toFour(reliability.itemRest[i] ?? null),
        alphaIfDropped: toFour(reliability.alphaIfDropped[i] ?? null),
      }),
    );
    return {
      ...score(points * meanOf(offset), points, matrix, value.weights, omega ?? reliability.alpha),
      alpha: toFour(reliability.alpha),
      alphaInterval: reliability.feldt95 && [round4(reliability.feldt95[0]), round4(reliability.feldt95[1])],
      lambda2: toFour(reliability.lambda2),
      omega: toFour(omega),
      statements,
      percentiles: toldRanks(slice(sums, histogram, value.scoreSteps)),
      centred: distributionOf(slice(sums, centred, centredBins), -100, centredStep),
    };
  };
  const gaps = differenceCovariances(all);
  const gapAlpha = isReliable ? reliabilityOf(gaps, n).alpha : null;
  return {
    valueId: value.valueId,
    ideal: life(0, value.ideal, value.centredIdeal),
    current: life(k, value.current, value.centredCurrent),
    gap: {
      ...score(points * (meanOf(0) - meanOf(k)), points, gaps, value.weights, gapAlpha),
      alpha: toFour(gapAlpha),
      alphaInterval: null,
      lambda2: null,
      omega: null,
      statements: [],
      percentiles: toldRanks(slice(sums, value.gap, value.gapSteps)),
      centred: null,
    },
  };
}

/** Of too few people. */
const unknownReliability: Pick<Reliability, "alpha" | "lambda2" | "feldt95" | "itemRest" | "alphaIfDropped"> = {
  alpha: null,
  lambda2: null,
  feldt95: null,
  itemRest: [],
  alphaIfDropped: [],
};

function score(
  mean: number,
  points: number,
  matrix: Matrix,
  weights: readonly number[],
  reliability: number | null,
): Pick<MeasureNumbers, "mean" | "sd" | "standardError"> {
  const sd = points * Math.sqrt(Math.max(0, quadraticForm(matrix, weights, weights)));
  return { mean: round2(mean), sd: round2(sd), standardError: toTwo(measurementError(sd, reliability)) };
}

/** The numbers of all pairs in the sums, 2 or more. */
export function retestNumbers(layout: NormLayout, sums: Sums): RetestNumbers {
  const n = pairsIn(layout, sums);
  const { span } = layout.compiled.scale;
  return {
    values: layout.values.map(({ valueId, weights }, index) => {
      const points = 100 / (span * weights.reduce((sum, w) => sum + w, 0));
      const measure = (place: number): RetestMoments => {
        const from = 2 * (3 * index + place);
        const [sum, squares] = [
          at([...sums.subarray(from, from + 1)], 0),
          at([...sums.subarray(from + 1, from + 2)], 0),
        ];
        const variance = (n * squares - sum * sum) / (n * (n - 1));
        return { mean: round2((points * sum) / n), sd: round2(points * Math.sqrt(variance)) };
      };
      return { valueId, ideal: measure(0), current: measure(1), gap: measure(2) };
    }),
  };
}

function slice(sums: Sums, from: number, length: number): number[] {
  return [...sums.subarray(from, from + length)];
}

/** Whole percentile ranks, 1 to 99. */
function toldRanks(counts: readonly number[]): number[] {
  return percentileRanks(counts).map(wholeRank);
}
