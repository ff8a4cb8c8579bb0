// Which whole number of the accumulators counts what, for one assessment version.
import type { CompiledQuality } from "../../quality/compile.ts";
import type { Item } from "../../scoring/formulas/cells.ts";
import { at } from "../../scoring/lists.ts";

/** Scores of statements with unequal weights are counted in half points: -100 to 100, or 0 to 100. */
export const halfPoints = 200;
/** Centred scores are counted in steps of 2 points: -100 to 100. */
export const centredBins = 100;
export const centredStep = 2;
/** Completions are counted by month, for a hundred years from January of this one. */
export const firstYear = 2020;
export const months = 1200;

/** The accumulators of one value: places in the list of all. */
export interface ValueLayout {
  readonly valueId: number;
  /** The k statements in the ideal life, in the order of the definition, then the same in the current one. */
  readonly items: readonly Item[];
  /** Weights of the k statements, divided by what they share. */
  readonly weights: readonly number[];
  readonly isEquallyWeighted: boolean;
  /** First of the 2k sums of keyed points. */
  readonly sums: number;
  /** First of their products: the upper triangle, row by row. */
  readonly products: number;
  /** First of each histogram, and how many steps it has. */
  readonly ideal: number;
  readonly current: number;
  readonly scoreSteps: number;
  /** First of the histograms of centred scores. */
  readonly centredIdeal: number;
  readonly centredCurrent: number;
  readonly gap: number;
  readonly gapSteps: number;
}

export interface NormLayout {
  readonly compiled: CompiledQuality;
  readonly values: readonly ValueLayout[];
  /** First of the histograms of the totals, in half points. */
  readonly totalGap: number;
  readonly harmony: number;
  readonly conflict: number;
  /** How many people answered on hosted pages. */
  readonly hosted: number;
  /** First of the numbers of people by month of completion: together, they are all people. */
  readonly months: number;
  /** How many whole numbers there are. */
  readonly length: number;
  /** How many there are of retest pairs: for each value and measure the sum of changes and that of their squares, then the pairs. */
  readonly retestLength: number;
}

/** Lays the accumulators of a version out. */
export function layoutNorms(compiled: CompiledQuality): NormLayout {
  let next = 0;
  const take = (length: number) => {
    next += length;
    return next - length;
  };
  const values = compiled.scoring.valueIds.map((valueId, index): ValueLayout => {
    const statements = at(compiled.statements, index);
    const items = [...statements.map(({ ideal }) => ideal), ...statements.map(({ current }) => current)];
    const weights = reduced(statements.map(({ ideal }) => ideal.weight));
    const isEquallyWeighted = weights.every((weight) => weight === 1);
    const most = statements.length * compiled.scale.span;
    const size = items.length;
    const scoreSteps = (isEquallyWeighted ? most : halfPoints) + 1;
    const gapSteps = 2 * scoreSteps - 1;
    return {
      valueId,
      items,
      weights,
      isEquallyWeighted,
      sums: take(size),
      products: take((size * (size + 1)) / 2),
      ideal: take(scoreSteps),
      current: take(scoreSteps),
      scoreSteps,
      centredIdeal: take(centredBins),
      centredCurrent: take(centredBins),
      gap: take(gapSteps),
      gapSteps,
    };
  });
  const totals = { totalGap: take(halfPoints + 1), harmony: take(halfPoints + 1), conflict: take(halfPoints + 1) };
  const sample = { hosted: take(1), months: take(months) };
  return { compiled, values, ...totals, ...sample, length: next, retestLength: 6 * values.length + 1 };
}

function reduced(weights: readonly number[]): number[] {
  const shared = weights.reduce((one, other) => greatestCommonDivisor(one, other), 0);
  return weights.map((weight) => weight / shared);
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
