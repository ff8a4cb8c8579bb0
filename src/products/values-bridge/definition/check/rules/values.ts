// Rules on values and the weights and keys of their items.

import { maxQuestions } from "../../limits.ts";
import type { DefinitionFault } from "../faults.ts";
import { quote } from "../faults.ts";
import { type DefinitionPart, labelOf, type ValuePart } from "../parts.ts";
import { duplicates } from "./repeats.ts";

const lifeContexts = 2;

/** A value as messages name it. */
interface LabelledValue extends Pick<ValuePart, "pointer" | "items"> {
  readonly label: string;
}

/** Values have unique ids and names, and the same number of items, of which some are inverse, some forward, some weigh. */
export function checkValues({ values }: DefinitionPart): DefinitionFault[] {
  const labelled = values.map((value) => ({ ...value, label: labelOf(value) }));
  const ofItems = itemFaults(labelled);
  return [
    ...duplicates(labelled, "id", "duplicate_id", ({ id, label }, first) => {
      return `Values ${first.label} and ${label} both have the id ${id}`;
    }),
    ...valueNameFaults(values),
    ...ofItems,
    // Faults of all items would be reported again for those of the short form.
    ...(ofItems.length > 0 ? [] : shortFormFaults(labelled)),
  ];
}

/** Values, or translations of them, have names of their own. */
export function valueNameFaults(values: readonly Pick<ValuePart, "pointer" | "name">[]): DefinitionFault[] {
  return duplicates(values, "name", "duplicate_name", ({ name }) => {
    return `A value before this one is named ${quote(name ?? "")} too`;
  });
}

function itemFaults(values: readonly LabelledValue[]): DefinitionFault[] {
  return [...sizeFaults(values), ...values.flatMap((value) => [...keyFaults(value), ...weightFaults(value)])];
}

/** The short form, if there is one, has the same number of items of each value, and follows the same rules. */
function shortFormFaults(values: readonly LabelledValue[]): DefinitionFault[] {
  const short = values.map(({ pointer, label, items }) => {
    return { pointer, label: `${label} in the short form`, items: items.filter((item) => item.short === true) };
  });
  const empty = short.filter(({ items }) => items.length === 0);
  if (empty.length === short.length) return [];
  const missing = empty.map(({ pointer, label }): DefinitionFault => {
    return { pointer: `${pointer}/items`, code: "uneven_items", message: `Value ${label} has no items` };
  });
  return [...missing, ...itemFaults(short)];
}

function sizeFaults(values: readonly LabelledValue[]): DefinitionFault[] {
  const sized = values.filter((value) => value.items.length > 0);
  const usual = mostFrequent(sized.map((value) => value.items.length));
  const faults: DefinitionFault[] = sized
    .filter((value) => value.items.length !== usual)
    .map((value) => ({
      pointer: `${value.pointer}/items`,
      code: "uneven_items",
      message: `Value ${value.label} has ${value.items.length} items where others have ${usual}; all need the same number`,
    }));
  const questions = lifeContexts * sized.reduce((sum, value) => sum + value.items.length, 0);
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

function keyFaults({ pointer, label, items }: LabelledValue): DefinitionFault[] {
  const keys = items.map((item) => item.inverse);
  if (keys.length === 0 || keys.includes(undefined)) return [];
  if (!keys.includes(true)) {
    const message = `Value ${label} has no inverse item`;
    return [{ pointer: `${pointer}/items`, code: "missing_inverse_item", message }];
  }
  if (!keys.includes(false)) {
    const message = `Value ${label} has no forward item (all are inverse)`;
    return [{ pointer: `${pointer}/items`, code: "missing_forward_item", message }];
  }
  return [];
}

function weightFaults({ pointer, label, items }: LabelledValue): DefinitionFault[] {
  if (items.length > 0 && items.every((item) => item.weight === 0)) {
    const message = `Value ${label} cannot be scored: all its items have weight 0`;
    return [{ pointer: `${pointer}/items`, code: "no_weight", message }];
  }
  return items.flatMap((item) => {
    const { weight } = item;
    if (weight === undefined || Number(weight.toFixed(3)) === weight) return [];
    const message = `Weight ${weight} has more than 3 decimals`;
    return [{ pointer: `${item.pointer}/weight`, code: "too_many_decimals" as const, message }];
  });
}
