// Norms computed from the sums over a partner's own people, rounded.
import type * as proto from "../../../gen/assessment/v1/norm_service_pb.ts";
import type { ShapeOf } from "../../../json/messages.ts";
import { addUp, at, createRounder } from "../scoring/exact.ts";
import { mapMeasures, type ValueMeasures } from "../scoring/model.ts";
import { type Bins, type NormLayout, scoreBins, totalBins, type ValueLayout } from "./layout.ts";
import { computeDistribution, type Distribution, roundDistribution } from "./statistics/distribution.ts";
import {
  computeAlpha,
  computeAlphaInterval,
  computeCovarianceMatrix,
  computeDifferenceCovariances,
  computeItemRestCorrelations,
  computeMeasurementError,
  computeQuadraticForm,
  type Matrix,
  selectSubmatrix,
} from "./statistics/reliability.ts";
import type { NormSums, ValueSums } from "./sums.ts";

/** Least number of people for any norm. */
export const minPeople = 30;
/** Least number for reliability, errors of measurement, and retests. */
export const minForReliability = 100;

interface FieldOverrides {
  readonly "assessment.v1.MeasureNorms": { readonly alphaInterval: readonly [number, number] | null };
}

interface Absent {
  readonly "assessment.v1.MeasureNorms": "distribution";
  readonly "assessment.v1.Norms": "totalGap" | "harmony" | "conflict";
}

/** Norms of sessions, in responses and in the store. */
export interface NormNumbers
  extends Pick<ShapeOf<proto.Norms, FieldOverrides, Absent>, "values" | "totalGap" | "harmony" | "conflict"> {
  readonly sample: Omit<ShapeOf<proto.NormSample>, "kind">;
}

/** One score or gap, in points. */
export type MeasureNumbers = ShapeOf<proto.MeasureNorms, FieldOverrides, Absent>;
type StatementNumbers = ShapeOf<proto.StatementNorms>;
type RetestMoments = ShapeOf<proto.RetestChange>;

/** Norms of retests: changes in points, second minus first. */
export type RetestNumbers = Pick<ShapeOf<proto.RetestNorms>, "values">;

const round2 = createRounder(2);
const round4 = createRounder(4);
const round2OrNull = (value: number | null) => value && round2(value);
const round4OrNull = (value: number | null = null) => value && round4(value);

/** The numbers of all people in the sums, 2 or more. */
export function computeNormNumbers(sums: NormSums): NormNumbers {
  const { layout, people, hosted, firstMonth, lastMonth } = sums;
  return {
    sample: { firstMonth, lastMonth, hostedShare: round2(hosted / people) },
    values: layout.values.map((value, index) => computeValueNumbers(layout, value, at(sums.values, index), people)),
    totalGap: computeBinnedDistribution(totalBins, sums.totalGap),
    harmony: computeBinnedDistribution(totalBins, sums.harmony),
    conflict: computeBinnedDistribution(totalBins, sums.conflict),
  };
}

function computeBinnedDistribution(bins: Bins, counts: readonly number[]): Distribution | null {
  const distribution = computeDistribution(counts, bins);
  return distribution && roundDistribution(distribution);
}

function computeValueNumbers(
  { compiled }: NormLayout,
  { items, valueId, weights }: ValueLayout,
  { sums, products, ideal, current, gap }: ValueSums,
  n: number,
): ValueMeasures<MeasureNumbers> {
  const k = weights.length;
  const all = computeCovarianceMatrix({ n, sums, products });
  const points = 100 / (compiled.scale.span * addUp(weights));
  const computeMean = (start: number) => points * addUp(weights.map((w, i) => (w * at(sums, start + i)) / n));
  const isReliable = n >= minForReliability;
  const computeMeasure = (
    mean: number,
    matrix: Matrix,
    counts: readonly number[],
  ): Omit<MeasureNumbers, "statements"> => {
    const sd = points * Math.sqrt(Math.max(0, computeQuadraticForm(matrix, weights, weights)));
    const alpha = isReliable ? computeAlpha(matrix) : null;
    const [low, high] = alpha === null ? [] : computeAlphaInterval(alpha, n, k);
    return {
      mean: round2(mean),
      sd: round2(sd),
      standardError: round2OrNull(computeMeasurementError(sd, alpha)),
      alpha: round4OrNull(alpha),
      alphaInterval: low === undefined || high === undefined ? null : [round4(low), round4(high)],
      distribution: computeBinnedDistribution(scoreBins, counts),
    };
  };
  const measureLife = (start: number, counts: readonly number[]): MeasureNumbers => {
    const places = weights.map((_, i) => start + i);
    const matrix = selectSubmatrix(all, places);
    const itemRest = isReliable ? computeItemRestCorrelations(matrix) : [];
    const statements = places.map(
      (place, i): StatementNumbers => ({
        questionId: at(items, place).questionId,
        mean: round2(at(sums, place) / n),
        sd: round2(Math.sqrt(at(at(matrix, i), i))),
        itemRest: round4OrNull(itemRest[i]),
      }),
    );
    return { ...computeMeasure(computeMean(start), matrix, counts), statements };
  };
  return {
    valueId,
    ideal: measureLife(0, ideal),
    current: measureLife(k, current),
    gap: { ...computeMeasure(computeMean(0) - computeMean(k), computeDifferenceCovariances(all), gap), statements: [] },
  };
}

/** The numbers of all pairs in the sums, 2 or more. */
export function computeRetestNumbers({ layout, pairs: n, values }: NormSums): RetestNumbers {
  return {
    values: layout.values.map(({ valueId, weights }, index) => {
      const points = 100 / (layout.compiled.scale.span * addUp(weights));
      return mapMeasures(valueId, (measure): RetestMoments => {
        const { sum, squares } = at(values, index).changes[measure];
        const variance = (n * squares - sum * sum) / (n * (n - 1));
        return { mean: round2((points * sum) / n), sd: round2(points * Math.sqrt(variance)) };
      });
    }),
  };
}
