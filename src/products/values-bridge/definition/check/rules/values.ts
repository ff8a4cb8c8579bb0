// Rules on values and the weights and keys of their items.
import { maxQuestions } from "../../limits.ts";
import type { Report } from "../faults.ts";
import { type DefinitionPart, labelOf, type ValuePart } from "../parts.ts";
import { checkNames, forRepeats } from "./repeats.ts";

const lifeContexts = 2;

/** A value as messages name it. */
interface LabelledValue extends Pick<ValuePart, "pointer" | "items"> {
  readonly label: string;
}

/** Values have unique ids and names, and the same number of items, of which some are inverse, some forward, some weigh. */
export function checkValues({ values }: DefinitionPart, report: Report): void {
  const labelledValues = values.map((value) => ({ ...value, label: labelOf(value) }));
  forRepeats(
    labelledValues,
    ({ id }) => id,
    ({ pointer, id, label }, first) => {
      report(`${pointer}/id`, "duplicate_id", `Values ${first.label} and ${label} both have the id ${id}`);
    },
  );
  checkNames(values, "A value", report);
  let areItemsSound = true;
  checkItems(labelledValues, (...fault) => {
    areItemsSound = false;
    report(...fault);
  });
  // Faults of all items would be reported again for those of the short form.
  if (areItemsSound) checkShortForm(labelledValues, report);
}

/** The short form, if there is one, has the same number of items of each value, and follows the same rules. */
function checkShortForm(values: readonly LabelledValue[], report: Report): void {
  const short = values.map(({ pointer, label, items }) => {
    return { pointer, label: `${label} in the short form`, items: items.filter((item) => item.short === true) };
  });
  const empty = short.filter(({ items }) => items.length === 0);
  if (empty.length === short.length) return;
  for (const { pointer, label } of empty) report(`${pointer}/items`, "uneven_items", `Value ${label} has no items`);
  checkItems(short, report);
}

function checkItems(values: readonly LabelledValue[], report: Report): void {
  const valuesWithItems = values.filter(({ items }) => items.length > 0);
  const usual = mostFrequent(valuesWithItems.map(({ items }) => items.length));
  for (const { pointer, label, items } of valuesWithItems) {
    if (items.length === usual) continue;
    const message = `Value ${label} has ${items.length} items where others have ${usual}; all need the same number`;
    report(`${pointer}/items`, "uneven_items", message);
  }
  const questions = lifeContexts * valuesWithItems.reduce((sum, { items }) => sum + items.length, 0);
  if (questions > maxQuestions) {
    const message = `There are ${questions} questions (${lifeContexts} for each item); ${maxQuestions} is the most`;
    report("#/values", "too_many_questions", message);
  }
  for (const value of valuesWithItems) checkKeysAndWeights(value, report);
}

/** The most frequent number, the first of several such; undefined for an empty list. */
function mostFrequent(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

function checkKeysAndWeights({ pointer, label, items }: LabelledValue, report: Report): void {
  const keys = new Set(items.map(({ inverse }) => inverse));
  if (keys.size === 1 && keys.has(false)) {
    report(`${pointer}/items`, "missing_inverse_item", `Value ${label} has no inverse item`);
  }
  if (keys.size === 1 && keys.has(true)) {
    report(`${pointer}/items`, "missing_forward_item", `Value ${label} has no forward item (all are inverse)`);
  }
  if (items.every(({ weight }) => weight === 0)) {
    report(`${pointer}/items`, "no_weight", `Value ${label} cannot be scored: all its items have weight 0`);
  }
  for (const { pointer: place, weight } of items) {
    if (weight === undefined || Number(weight.toFixed(3)) === weight) continue;
    report(`${place}/weight`, "too_many_decimals", `Weight ${weight} has more than 3 decimals`);
  }
}
