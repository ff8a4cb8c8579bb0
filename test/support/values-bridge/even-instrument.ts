// Instruments of any number of values and statements, for worked cases about numbers that the built-in one cannot have.
import type { Definition, Item } from "../../../src/products/values-bridge/definition/definition.ts";
import { arrangeQuestions } from "../../../src/products/values-bridge/definition/questions.ts";
import { soundDefinition } from "./definition.ts";

export interface Size {
  readonly values: number;
  /** Statements on each value. */
  readonly items: number;
}

/**
 * A definition of the built-in product, rated from 1 to 7, of which every other statement is inverse.
 * @param weightOf the weight of a statement of a value, both from 0; 1 unless given
 */
export function evenInstrument(size: Size, weightOf = (_value: number, _item: number) => 1): Definition {
  const ids = Array.from({ length: size.values }, (_, value) => value + 1);
  const itemsOf = (id: number): Item[] =>
    Array.from({ length: size.items }, (_, item) => {
      const predicate = `I hold to value ${id} in way ${item + 1}`;
      return { predicate, inverse: item % 2 === 1, weight: weightOf(id - 1, item) };
    });
  return {
    ...soundDefinition(),
    product: "values-bridge",
    title: `An instrument of ${size.values} values`,
    scale: { type: "likert", min: 1, max: 7, labels: ["1", "2", "3", "4", "5", "6", "7"] },
    values: ids.map((id) => ({ id, name: `Value ${id}`, goal: `Living with value ${id}.`, items: itemsOf(id) })),
    order: { valueStride: 1, roundStride: 1 },
    pairings: ids.slice(1).map((id) => {
      return { id: 100 * (id - 1) + id, values: [id - 1, id], kind: id % 2 === 0 ? "harmony" : "conflict", kappa: 0.9 };
    }),
  };
}

/** Names a statement in one life: value and item from 0. */
export interface StatementPlace {
  readonly value: number;
  readonly item: number;
  readonly life: "ideal" | "current";
}

/** Answers in asking order that give these keyed points, 0..6; null leaves a statement unanswered. */
export function answersWithPoints(
  definition: Definition,
  pointsOf: (place: StatementPlace) => number | null,
): (number | null)[] {
  const places = new Map<string, StatementPlace>();
  for (const [value, { items }] of definition.values.entries()) {
    for (const [item, { predicate }] of items.entries()) {
      for (const life of ["ideal", "current"] as const) places.set(`${life} ${predicate}`, { value, item, life });
    }
  }
  const { min, max } = definition.scale;
  return arrangeQuestions(definition, 1).map(({ predicate, valuesBridgeConfig: { lifeContext, inverse } }) => {
    const place = places.get(`${lifeContext} ${predicate}`);
    if (place === undefined) throw new RangeError(`no statement "${predicate}"`);
    const points = pointsOf(place);
    if (points === null) return null;
    return inverse ? max - points : min + points;
  });
}
