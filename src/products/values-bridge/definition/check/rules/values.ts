// Rules on values and the weights and keys of their items.
import type { Definition, Item } from "../../definition.ts";
import { maxQuestions } from "../../limits.ts";
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import { repeats } from "./repeats.ts";

const lifeContexts = 2;

/** The items of a value, all or those of the short form. */
interface ItemsOfValue {
  readonly pointer: string;
  /** How messages name the value. */
  readonly label: string;
  readonly items: readonly (Item & { readonly pointer: string })[];
}

/** Values have unique ids and names, and the same number of items, of which some are inverse, some forward, some weigh. */
export function checkValues({ values }: Definition): DefinitionFault[] {
  const labels = values.map(({ name }) => quote(name));
  const ofItems = itemFaults(
    values.map(({ items }, place) => ({
      pointer: `#/values/${place}/items`,
      label: labels[place] ?? "",
      items: items.map((item, index) => ({ ...item, pointer: `#/values/${place}/items/${index}` })),
    })),
  );
  return [
    ...repeats(values.map(({ id }) => id)).map(({ index, first }) => ({
      pointer: `#/values/${index}/id`,
      code: "duplicate_id" as const,
      message: `Values ${labels[first]} and ${labels[index]} both have the id ${values[index]?.id}`,
    })),
    ...valueNameFaults("#", values),
    ...ofItems,
    // Faults of all items would be reported again for those of the short form.
    ...(ofItems.length > 0 ? [] : shortFormFaults(values, labels)),
  ];
}

/** Reports names that occur twice, in the definition or in a translation. @param pointer of the object with the values */
export function valueNameFaults(
  pointer: string,
  values: readonly { readonly name?: string | undefined }[],
): DefinitionFault[] {
  return repeats(values.map(({ name }) => (name === undefined ? undefined : fold(name)))).map(({ index }) => ({
    pointer: `${pointer}/values/${index}/name`,
    code: "duplicate_name",
    message: `A value before this one is named ${quote(values[index]?.name ?? "")} too`,
  }));
}

/** The short form, if there is one, has the same number of items of each value, and follows the same rules. */
function shortFormFaults(values: Definition["values"], labels: readonly string[]): DefinitionFault[] {
  const short = values.map(({ items }, place) => ({
    pointer: `#/values/${place}/items`,
    label: `${labels[place]} in the short form`,
    items: items
      .map((item, index) => ({ ...item, pointer: `#/values/${place}/items/${index}` }))
      .filter((item) => item.short === true),
  }));
  const empty = short.filter(({ items }) => items.length === 0);
  if (empty.length === short.length) return [];
  const missing = empty.map(({ pointer, label }): DefinitionFault => {
    return { pointer, code: "uneven_items", message: `Value ${label} has no items` };
  });
  return [...missing, ...itemFaults(short.filter(({ items }) => items.length > 0))];
}

function itemFaults(values: readonly ItemsOfValue[]): DefinitionFault[] {
  return [...sizeFaults(values), ...values.flatMap((value) => [...keyFaults(value), ...weightFaults(value)])];
}

function sizeFaults(values: readonly ItemsOfValue[]): DefinitionFault[] {
  const usual = mostFrequent(values.map(({ items }) => items.length));
  const faults: DefinitionFault[] = values
    .filter(({ items }) => items.length !== usual)
    .map(({ pointer, label, items }) => ({
      pointer,
      code: "uneven_items",
      message: `Value ${label} has ${items.length} items where others have ${usual}; all need the same number`,
    }));
  const questions = lifeContexts * values.reduce((sum, { items }) => sum + items.length, 0);
  if (questions > maxQuestions) {
    const message = `There are ${questions} questions (${lifeContexts} for each item); ${maxQuestions} is the most`;
    faults.push({ pointer: "#/values", code: "too_many_questions", message });
  }
  return faults;
}

/** The most frequent number, the first of several such; undefined for an empty list. */
function mostFrequent(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

function keyFaults({ pointer, label, items }: ItemsOfValue): DefinitionFault[] {
  if (items.every(({ inverse }) => !inverse)) {
    return [{ pointer, code: "missing_inverse_item", message: `Value ${label} has no inverse item` }];
  }
  if (items.every(({ inverse }) => inverse)) {
    const message = `Value ${label} has no forward item (all are inverse)`;
    return [{ pointer, code: "missing_forward_item", message }];
  }
  return [];
}

function weightFaults({ pointer, label, items }: ItemsOfValue): DefinitionFault[] {
  if (items.every(({ weight }) => weight === 0)) {
    const message = `Value ${label} cannot be scored: all its items have weight 0`;
    return [{ pointer, code: "no_weight", message }];
  }
  return items
    .filter(({ weight }) => Number(weight.toFixed(3)) !== weight)
    .map((item) => ({
      pointer: `${item.pointer}/weight`,
      code: "too_many_decimals",
      message: `Weight ${item.weight} has more than 3 decimals`,
    }));
}
