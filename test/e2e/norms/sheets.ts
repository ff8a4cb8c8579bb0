// Answers of people who are alike but for what a case is about, and instruments whose weights are those of a case.
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import { answersWithPoints, type StatementPlace } from "../../support/values-bridge/even-instrument.ts";
import { longForm } from "../../support/values-bridge/short-form.ts";
import { attentive } from "./people.ts";

/** The middle of the keyed points 0..6. */
export const middle = 3;

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
export function attentiveBut(pointsOf: (place: StatementPlace) => number | undefined): number[] {
  const others = answersWithPoints(longForm(), (place) => pointsOf(place) ?? null);
  return attentive.map((rating, position) => others[position] ?? rating);
}

/** The same, with these differences from the middle on the statements on the first value in the ideal life. */
export function shifted(differences: readonly number[], value = 0): number[] {
  return attentiveBut((place) =>
    place.value === value && place.life === "ideal" ? middle + (differences[place.item] ?? 0) : undefined,
  );
}
