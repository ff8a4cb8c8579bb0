// The steps in which the scores of one assessment version are counted.
import type { CompiledQuality } from "../quality/compile.ts";
import type { Item } from "../scoring/cells.ts";
import { at, greatestCommonDivisor } from "../scoring/exact.ts";

/** Scores of statements with unequal weights are counted in half points: -100 to 100, or 0 to 100. */
export const halfPoints = 200;
/** Centred scores are counted in steps of 2 points: -100 to 100. */
export const centredBins = 100;
export const centredStep = 2;

export interface ValueLayout {
  readonly valueId: number;
  /** The k statements in the ideal life, in the order of the definition, then the same in the current one. */
  readonly items: readonly Item[];
  /** Weights of the k statements, divided by their greatest common divisor. */
  readonly weights: readonly number[];
  readonly isEquallyWeighted: boolean;
  /** How many steps a score has; a gap has them in both directions. */
  readonly scoreSteps: number;
}

export interface NormLayout {
  readonly compiled: CompiledQuality;
  readonly values: readonly ValueLayout[];
}

/** The steps of a version. */
export function layoutNorms(compiled: CompiledQuality): NormLayout {
  const values = compiled.scoring.valueIds.map((valueId, index): ValueLayout => {
    const statements = at(compiled.statements, index);
    const items = [...statements.map(({ ideal }) => ideal), ...statements.map(({ current }) => current)];
    const shared = statements.reduce((divisor, { ideal }) => greatestCommonDivisor(divisor, ideal.weight), 0);
    const weights = statements.map(({ ideal }) => ideal.weight / shared);
    const isEquallyWeighted = weights.every((weight) => weight === 1);
    const scoreSteps = (isEquallyWeighted ? statements.length * compiled.scale.span : halfPoints) + 1;
    return { valueId, items, weights, isEquallyWeighted, scoreSteps };
  });
  return { compiled, values };
}
