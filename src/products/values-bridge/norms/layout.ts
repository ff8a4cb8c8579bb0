// The layout of norms of an assessment version: the statements of each value, and bins for people.
import type { CompiledQuality } from "../quality/compile.ts";
import type { Item } from "../scoring/cells.ts";
import { at } from "../scoring/exact.ts";

/** Equal bins of numbers in points. */
export interface Bins {
  /** The first edge. */
  readonly from: number;
  readonly step: number;
  readonly count: number;
}

/** Of centred scores and of gaps. */
export const scoreBins: Bins = { from: -100, step: 2, count: 100 };
/** Of the total gap, harmony and conflict. */
export const totalBins: Bins = { from: 0, step: 0.5, count: 200 };

/** The bin of a number; numbers beyond the bins count in the outer ones. */
export function findBin({ from, step, count }: Bins, points: number): number {
  // The division may miss an exact edge by a rounding error.
  const bin = Math.floor((points - from) / step + 1e-9);
  return Math.min(count - 1, Math.max(0, bin));
}

export interface ValueLayout {
  readonly valueId: number;
  /** The k statements in the ideal life, in the order of the definition, then the same in the current one. */
  readonly items: readonly Item[];
  /** Weights of the k statements: whole numbers. */
  readonly weights: readonly number[];
}

export interface NormLayout {
  readonly compiled: CompiledQuality;
  readonly values: readonly ValueLayout[];
}

/** The layout of a version. */
export function createNormLayout(compiled: CompiledQuality): NormLayout {
  const values = compiled.scoring.valueIds.map((valueId, index): ValueLayout => {
    const statements = at(compiled.statements, index);
    const items = [...statements.map(({ ideal }) => ideal), ...statements.map(({ current }) => current)];
    return { valueId, items, weights: statements.map(({ ideal }) => ideal.weight) };
  });
  return { compiled, values };
}
