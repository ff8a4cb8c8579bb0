// A second definition of the product that ships: the same values and scoring, half the statements.
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";
import valuesBridge from "../../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };

/** The definition that ships. */
export function longForm(): Definition {
  return structuredClone(valuesBridge) as unknown as Definition;
}

/**
 * A forward and the inverse item of each of the 19 values, in two contexts and every language: 76 statements.
 * @param title another one makes another definition
 */
export function shortForm(title = "Your values, the short way"): Definition {
  const definition = longForm();
  const isKept = (id: number, index: number): boolean => {
    const items = definition.values.find((value) => value.id === id)?.items ?? [];
    return [false, true].some((inverse) => items.findIndex((item) => item.inverse === inverse) === index);
  };
  const values = definition.values.map((value) => ({
    ...value,
    items: value.items.filter((_, index) => isKept(value.id, index)),
  }));
  const translations = (definition.translations ?? []).map((translation) => ({
    ...translation,
    values: translation.values.map((value) => ({
      ...value,
      predicates: value.predicates.filter((_, index) => isKept(value.id, index)),
    })),
  }));
  return { ...definition, title, values, translations };
}
