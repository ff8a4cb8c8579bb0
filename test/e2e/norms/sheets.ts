// Answers of people who are alike but for what a case is about, and instruments whose weights are those of a case.
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { arrangeQuestions } from "../../../src/products/values-bridge/definition/questions.ts";
import { attentive } from "../../support/values-bridge/attentive-people.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";

/** The middle of the keyed points 0..6. */
const middle = 3;

/** The shipped definition with other weights of the first values. */
export function weighted(weights: readonly (readonly number[])[]): Definition {
  const shipped = longForm();
  const values = shipped.values.map((value, place) => ({
    ...value,
    items: value.items.map((item, index) => ({ ...item, weight: weights[place]?.[index] ?? item.weight })),
  }));
  return { ...shipped, values };
}

/** Attentive answers, but for statements that get keyed points of their own. */
function attentiveBut(pointsOf: (place: StatementPlace) => number | undefined): number[] {
  const others = answersWithPoints(longForm(), pointsOf);
  return attentive.map((rating, position) => others[position] ?? rating);
}

/** The same, with these differences from the middle on the statements on the first value in the ideal life. */
export function shifted(differences: readonly number[]): number[] {
  return attentiveBut((place) =>
    place.value === 0 && place.life === "ideal" ? middle + (differences[place.item] ?? 0) : undefined,
  );
}

/** Names a statement in one life: value and item from 0. */
interface StatementPlace {
  readonly value: number;
  readonly item: number;
  readonly life: "ideal" | "current";
}

/** Answers in asking order that give these keyed points, 0..6; undefined leaves a statement unanswered. */
function answersWithPoints(
  definition: Definition,
  pointsOf: (place: StatementPlace) => number | undefined,
): (number | undefined)[] {
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
    if (points === undefined) return undefined;
    return inverse ? max - points : min + points;
  });
}
