// Prepares once for each assessment version what does not depend on answers.

import { at, type Round, roundingTo } from "./exact.ts";
import { type Cell, compileCell } from "./formulas/cells.ts";
import type { IndexedPairing } from "./formulas/pairings.ts";
import type { Neighbours } from "./formulas/ranks.ts";
import type { LifeContext, ScoringModel } from "./model.ts";

/** A model prepared for scoring; every list of values is in ascending value id, the order in which sums run. */
export interface CompiledModel {
  readonly model: ScoringModel;
  readonly valueIds: readonly number[];
  readonly cells: Readonly<Record<LifeContext, readonly Cell[]>>;
  readonly neighbours: Neighbours;
  /** In catalogue order. */
  readonly pairings: readonly IndexedPairing[];
  readonly round: Round;
}

/** Prepares a model that has been checked: unique ids, pairings of known values, archetypes without gap or overlap. */
export function compileModel(model: ScoringModel): CompiledModel {
  const valueIds = model.valueIds.toSorted((a, b) => a - b);
  const indexAt = (place: number): number => valueIds.indexOf(at(model.valueIds, place % valueIds.length));
  const cellsOf = (context: LifeContext): Cell[] => valueIds.map((valueId) => compileCell(model, valueId, context));
  return {
    model,
    valueIds,
    cells: { ideal: cellsOf("ideal"), current: cellsOf("current") },
    neighbours: valueIds.map((valueId) => {
      const place = model.valueIds.indexOf(valueId);
      return [indexAt(place + model.valueIds.length - 1), indexAt(place + 1)] as const;
    }),
    pairings: model.pairings.map((pairing) => {
      const [a, b] = pairing.values;
      return { ...pairing, indices: [valueIds.indexOf(a), valueIds.indexOf(b)] };
    }),
    round: roundingTo(model.constants.decimals),
  };
}
