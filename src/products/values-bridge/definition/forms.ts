// The forms of an instrument: all statements, or those that its author has marked as short.
import type { GradeThresholds } from "../quality/model.ts";
import type { Definition } from "./definition.ts";

/**
 * Thresholds of grades by form. With half of the statements, the same answers look less consistent: by Spearman and Brown, .33
 * for four statements is .20 for two. Those of guesses fail at most 2 in 100 attentive people, by simulation (docs/trust.md).
 */
export const gradeCuts: Readonly<Record<"long" | "short", GradeThresholds>> = {
  long: { consistency: 0.33, secondBlock: 0.2, opposites: -0.2, guess: { consistency: 0.1, opposites: -0.2 } },
  short: { consistency: 0.2, secondBlock: 0.11, opposites: -0.13, guess: { consistency: 0.05, opposites: 0.1 } },
};

/** The definition with only the statements marked `short`, otherwise unchanged; undefined if none is marked. */
export function toShortForm(definition: Definition): Definition | undefined {
  const shortItems = new Map(definition.values.map(({ id, items }) => [id, items.map(({ short }) => short === true)]));
  if (![...shortItems.values()].flat().includes(true)) return undefined;
  const pickShort = <T>(id: number, all: readonly T[]) =>
    all.filter((_, index) => shortItems.get(id)?.[index] === true);
  return {
    ...definition,
    form: "short",
    values: definition.values.map(({ items, ...value }) => ({
      ...value,
      items: pickShort(
        value.id,
        items.map((item, index) => ({ ...item, number: index + 1 })),
      ),
    })),
    ...(definition.translations && {
      translations: definition.translations.map((translation) => ({
        ...translation,
        values: translation.values.map((value) => ({ ...value, predicates: pickShort(value.id, value.predicates) })),
      })),
    }),
  };
}
