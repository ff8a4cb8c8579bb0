// A second definition of the product that ships: the same values and scoring, half the statements.
import type { Definition, Item } from "../../src/values-bridge/definition/definition.ts";
import valuesBridge from "../../src/values-bridge/definition/values-bridge.json" with { type: "json" };

/** The definition that ships. */
export function longForm(): Definition {
  return structuredClone(valuesBridge) as unknown as Definition;
}

/**
 * A forward and the inverse item of each of the 19 values, in two contexts: 76 statements.
 * @param title another one makes another definition
 */
export function shortForm(title = "Your values, the short way"): Definition {
  const definition = longForm();
  const values = definition.values.map((value) => {
    const first = (inverse: boolean): Item[] => value.items.filter((item) => item.inverse === inverse).slice(0, 1);
    return { ...value, items: [...first(false), ...first(true)] };
  });
  return { ...definition, title, values };
}
