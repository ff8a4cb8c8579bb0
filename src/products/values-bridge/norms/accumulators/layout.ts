// Which whole number of the accumulators counts what, for one assessment version.
import type { CompiledQuality } from "../../quality/compile.ts";
import type { Item } from "../../scoring/formulas/cells.ts";
import { at } from "../../scoring/lists.ts";

/** Strata of a cell's sum, for DIF. */
export const strata = 5;
/** Scores of statements with unequal weights are counted in half points: -100 to 100, or 0 to 100. */
export const halfPoints = 200;

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
  /** First of the counts by item, stratum and keyed point. */
  readonly counts: number;
  /** First of each histogram, and how many steps it has. */
  readonly ideal: number;
  readonly current: number;
  readonly scoreSteps: number;
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
  /** How many whole numbers there are. */
  readonly length: number;
  /** How many there are of retest pairs: for each value and measure the sum of changes and that of their squares. */
  readonly retestLength: number;
}

/** Lays the accumulators of a version out. It must stay the same for ever for the same version. */
export function layoutNorms(compiled: CompiledQuality): NormLayout {
  let next = 0;
  const take = (length: number) => {
    next += length;
    return next - length;
  };
  const points = compiled.scale.span + 1;
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
      counts: take(size * strata * points),
      ideal: take(scoreSteps),
      current: take(scoreSteps),
      scoreSteps,
      gap: take(gapSteps),
      gapSteps,
    };
  });
  const totals = { totalGap: take(halfPoints + 1), harmony: take(halfPoints + 1), conflict: take(halfPoints + 1) };
  return { compiled, values, ...totals, length: next, retestLength: 6 * values.length };
}

function reduced(weights: readonly number[]): number[] {
  const shared = weights.reduce((one, other) => greatestCommonDivisor(one, other), 0);
  return weights.map((weight) => weight / shared);
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
