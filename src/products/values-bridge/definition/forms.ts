// The short form of an instrument: some of its statements, which its author has marked.
import type { Definition } from "./definition.ts";

/** The definition with only the statements marked `short`, otherwise unchanged; undefined if none is marked. */
export function shortFormOf(definition: Definition): Definition | undefined {
  const marked = new Map(definition.values.map(({ id, items }) => [id, items.map(({ short }) => short === true)]));
  if (![...marked.values()].flat().includes(true)) return undefined;
  const kept = <T>(id: number, all: readonly T[]) => all.filter((_, index) => marked.get(id)?.[index] === true);
  return {
    ...definition,
    values: definition.values.map((value) => ({ ...value, items: kept(value.id, value.items) })),
    ...(definition.translations && {
      translations: definition.translations.map((translation) => ({
        ...translation,
        values: translation.values.map((value) => ({ ...value, predicates: kept(value.id, value.predicates) })),
      })),
    }),
  };
}
