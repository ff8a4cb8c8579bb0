// Norms computed from the sums over a partner's own people, exact and rounded.
import type * as proto from "../../../gen/assessment/v1/norm_service_pb.ts";
import type { ShapeOf } from "../../../json/shape-of.ts";
import { addUp } from "../quality/statistics.ts";
import { at, roundingTo } from "../scoring/exact.ts";
import { type OfValue, ofMeasures } from "../scoring/model.ts";
import { centredStep, type NormLayout, type ValueLayout } from "./layout.ts";
import {
  computeDistribution,
  computeMoments,
  measurementError,
  percentileRanks,
  wholeRank,
} from "./statistics/distribution.ts";
import {
  computeOmega,
  computeReliability,
  covarianceMatrix,
  differenceCovariances,
  type Matrix,
  oneFactor,
  quadraticForm,
  submatrix,
} from "./statistics/reliability.ts";
import type { ChangeSums, RetestSums, Sums, ValueSums } from "./sums.ts";

/** Least number of people for any norm. */
export const minPeople = 30;
/** Least number for reliability, errors of measurement, and changes of people who answered again. */
export const minForReliability = 100;

/** Members that the proto says with less, or that are messages and may be absent. */
interface FieldOverrides {
  readonly "assessment.v1.MeasureNorms": { readonly alphaInterval: readonly [number, number] | null };
}

interface Absent {
  readonly "assessment.v1.MeasureNorms": "centred";
  readonly "assessment.v1.Norms": "totalGap" | "harmony" | "conflict";
}

/** Norms of sessions, as they are returned and stored. */
export interface NormNumbers
  extends Pick<ShapeOf<proto.Norms, FieldOverrides, Absent>, "values" | "totalGap" | "harmony" | "conflict"> {
  readonly sample: Omit<ShapeOf<proto.NormSample>, "kind">;
}

/** One score or gap, in points. */
export type MeasureNumbers = ShapeOf<proto.MeasureNorms, FieldOverrides, Absent>;
type StatementNumbers = ShapeOf<proto.StatementNorms>;
type TotalNumbers = ShapeOf<proto.TotalNorms>;
type RetestMoments = ShapeOf<proto.RetestChange>;

/** Norms of people who answered again: changes in points, second minus first. */
export type RetestNumbers = Pick<ShapeOf<proto.RetestNorms>, "values">;

const round2 = roundingTo(2);
const round4 = roundingTo(4);
const toTwo = (value: number | null) => value && round2(value);
const toFour = (value: number | null = null) => value && round4(value);

/** The numbers of all people in the sums, 2 or more. */
export function normNumbers(layout: NormLayout, sums: Sums): NormNumbers {
  const { people, hosted, firstMonth, lastMonth } = sums;
  return {
    sample: { firstMonth, lastMonth, hostedShare: round2(hosted / people) },
    values: layout.values.map((value, index) => valueNumbers(layout, value, at(sums.values, index), people)),
    totalGap: totalNumbers(sums.totalGap),
    harmony: totalNumbers(sums.harmony),
    conflict: totalNumbers(sums.conflict),
  };
}

function totalNumbers(counts: readonly number[]): TotalNumbers | null {
  const moments = computeMoments({ counts, from: 0, step: 0.5 });
  if (moments === null) return null;
  return { n: moments.n, mean: round2(moments.mean), sd: round2(moments.sd), percentiles: wholeRanks(counts) };
}

function valueNumbers(layout: NormLayout, value: ValueLayout, of: ValueSums, n: number): OfValue<MeasureNumbers> {
  const { items, valueId, weights } = value;
  const k = weights.length;
  const all = covarianceMatrix({ n, sums: of.sums, products: of.products });
  const points = 100 / (layout.compiled.scale.span * addUp(weights));
  const meanAt = (offset: number) => addUp(weights.map((w, i) => (w * at(of.sums, offset + i)) / n));
  const isReliable = n >= minForReliability;
  const life = (offset: number, counts: readonly number[], centredScores: readonly number[]): MeasureNumbers => {
    const matrix = submatrix(
      all,
      weights.map((_, i) => offset + i),
    );
    const model = isReliable ? oneFactor(matrix) : null;
    const omega = model && computeOmega(model, weights);
    const reliability = isReliable ? computeReliability(matrix, n) : null;
    const statements = items.slice(offset, offset + k).map(
      ({ questionId }, i): StatementNumbers => ({
        questionId,
        mean: round2(at(of.sums, offset + i) / n),
        sd: round2(Math.sqrt(at(at(matrix, i), i))),
        itemRest: toFour(reliability?.itemRest[i]),
        alphaIfDropped: toFour(reliability?.alphaIfDropped[i]),
      }),
    );
    const interval = reliability?.feldt95 ?? null;
    return {
      ...score(points * meanAt(offset), points, matrix, weights, omega ?? reliability?.alpha ?? null, counts),
      alpha: toFour(reliability?.alpha),
      alphaInterval: interval && [round4(interval[0]), round4(interval[1])],
      lambda2: toFour(reliability?.lambda2),
      omega: toFour(omega),
      statements,
      centred: computeDistribution(centredScores, -100, centredStep),
    };
  };
  const gaps = differenceCovariances(all);
  const gapAlpha = isReliable ? computeReliability(gaps, n).alpha : null;
  return {
    valueId,
    ideal: life(0, of.ideal, of.centredIdeal),
    current: life(k, of.current, of.centredCurrent),
    gap: {
      ...score(points * (meanAt(0) - meanAt(k)), points, gaps, weights, gapAlpha, of.gap),
      alpha: toFour(gapAlpha),
      alphaInterval: null,
      lambda2: null,
      omega: null,
      statements: [],
      centred: null,
    },
  };
}

function score(
  mean: number,
  points: number,
  matrix: Matrix,
  weights: readonly number[],
  reliability: number | null,
  counts: readonly number[],
): Pick<MeasureNumbers, "mean" | "sd" | "standardError" | "percentiles"> {
  const sd = points * Math.sqrt(Math.max(0, quadraticForm(matrix, weights, weights)));
  const error = measurementError(sd, reliability);
  return { mean: round2(mean), sd: round2(sd), standardError: toTwo(error), percentiles: wholeRanks(counts) };
}

/** The numbers of all pairs in the sums, 2 or more. */
export function retestNumbers(layout: NormLayout, { pairs: n, values }: RetestSums): RetestNumbers {
  return {
    values: layout.values.map(({ valueId, weights }, index) => {
      const points = 100 / (layout.compiled.scale.span * addUp(weights));
      const moments = ({ sum, squares }: ChangeSums): RetestMoments => {
        const variance = (n * squares - sum * sum) / (n * (n - 1));
        return { mean: round2((points * sum) / n), sd: round2(points * Math.sqrt(variance)) };
      };
      return ofMeasures(valueId, (measure) => moments(at(values, index)[measure]));
    }),
  };
}

/** Whole percentile ranks, 1 to 99. */
function wholeRanks(counts: readonly number[]): number[] {
  return percentileRanks(counts).map(wholeRank);
}
