// Rules on how statements are shown: language, response scale, order.
import type { Definition, Scale } from "../../definition.ts";
import { RESERVED_PRODUCTS } from "../../limits.ts";
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import { repeats } from "./repeats.ts";

/** The product's name is free; the language is a BCP 47 tag; ratings ascend and have a label each, all different; strides fit the circle. */
export function checkPresentation(definition: Definition): DefinitionFault[] {
  const { product, language, scale } = definition;
  return [
    ...productFaults(product),
    ...languageFaults(language, "#"),
    ...scaleFaults(scale),
    ...labelFaults(scale, scale.labels, "#/scale"),
    ...strideFaults(definition),
  ];
}

function productFaults(product: string): DefinitionFault[] {
  if (!RESERVED_PRODUCTS.includes(product)) return [];
  return [
    { pointer: "#/product", code: "wrong_form", message: `${quote(product)} has another meaning in the interface` },
  ];
}

/** Reports a language that is not a BCP 47 tag. @param pointer of the object with the language */
export function languageFaults(language: string, pointer: string): DefinitionFault[] {
  if (isLanguageTag(language)) return [];
  const message = `${quote(language)} is not a BCP 47 language tag`;
  return [{ pointer: `${pointer}/language`, code: "wrong_form", message }];
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function scaleFaults({ min, max }: Scale): DefinitionFault[] {
  if (min < max) return [];
  const message = `The highest rating, ${max}, is not above the lowest, ${min}`;
  return [{ pointer: "#/scale/max", code: "out_of_range", message }];
}

/** Reports a wrong number of labels, and equal labels. @param pointer of the object with the labels */
export function labelFaults({ min, max }: Scale, labels: readonly string[], pointer: string): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  const ratings = max - min + 1;
  if (min < max && labels.length !== ratings) {
    const message = `Ratings from ${min} to ${max} need ${ratings} labels, not ${labels.length}`;
    faults.push({ pointer: `${pointer}/labels`, code: "label_count", message });
  }
  for (const { index, first } of repeats(labels.map(fold))) {
    const message = `Labels ${first + 1} and ${index + 1} are both ${quote(labels[index] ?? "")}`;
    faults.push({ pointer: `${pointer}/labels/${index}`, code: "duplicate_label", message });
  }
  return faults;
}

function strideFaults({ order, values }: Definition): DefinitionFault[] {
  const size = values.length;
  const faults: DefinitionFault[] = [];
  const { valueStride, roundStride } = order;
  const divisor = greatestCommonDivisor(valueStride, size);
  if (valueStride >= size) {
    const message = `Value stride ${valueStride} must be below the number of values, ${size}`;
    faults.push({ pointer: "#/order/valueStride", code: "stride", message });
  } else if (divisor > 1) {
    const message = `Value stride ${valueStride} and the number of values, ${size}, share the divisor ${divisor}, so that a round would not ask every value`;
    faults.push({ pointer: "#/order/valueStride", code: "stride", message });
  }
  if (roundStride >= size) {
    const message = `Round stride ${roundStride} must be below the number of values, ${size}`;
    faults.push({ pointer: "#/order/roundStride", code: "stride", message });
  }
  return faults;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
