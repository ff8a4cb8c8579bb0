// Rules on how statements are shown: language, response scale, order.
import { RESERVED_PRODUCTS } from "../../limits.ts";
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import type { DefinitionPart } from "../parts.ts";
import { repeats } from "./repeats.ts";

/** The product's name is free; the language is a BCP 47 tag; ratings ascend and have a label each, all different; strides fit the circle. */
export function checkPresentation(parts: DefinitionPart): DefinitionFault[] {
  return [
    ...productFaults(parts),
    ...languageFaults(parts),
    ...scaleFaults(parts),
    ...labelFaults(parts.scale, parts.scale.labels, "#/scale"),
    ...strideFaults(parts),
  ];
}

function productFaults({ product }: DefinitionPart): DefinitionFault[] {
  if (product === undefined || !RESERVED_PRODUCTS.includes(product)) return [];
  return [
    { pointer: "#/product", code: "wrong_form", message: `${quote(product)} has another meaning in the interface` },
  ];
}

/** Reports a language that is not a BCP 47 tag. @param pointer of the object with the language */
export function languageFaults(
  { language }: { readonly language?: string | undefined },
  pointer = "#",
): DefinitionFault[] {
  if (language === undefined || isLanguageTag(language)) return [];
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

function scaleFaults({ scale: { min, max } }: DefinitionPart): DefinitionFault[] {
  if (min === undefined || max === undefined || min < max) return [];
  const message = `The highest rating, ${max}, is not above the lowest, ${min}`;
  return [{ pointer: "#/scale/max", code: "out_of_range", message }];
}

/** Reports a wrong number of labels, and equal labels. @param pointer of the object with the labels */
export function labelFaults(
  { min, max }: Pick<DefinitionPart["scale"], "min" | "max">,
  labels: readonly string[] = [],
  pointer: string,
): DefinitionFault[] {
  const faults: DefinitionFault[] = [];
  const ratings = min === undefined || max === undefined || min >= max ? undefined : max - min + 1;
  if (ratings !== undefined && labels.length > 0 && labels.length !== ratings) {
    const message = `Ratings from ${min} to ${max} need ${ratings} labels, not ${labels.length}`;
    faults.push({ pointer: `${pointer}/labels`, code: "label_count", message });
  }
  const entries = labels.map((label, index) => ({ label, index }));
  for (const { entry, first } of repeats(entries, ({ label }) => fold(label))) {
    const message = `Labels ${first.index + 1} and ${entry.index + 1} are both ${quote(entry.label)}`;
    faults.push({ pointer: `${pointer}/labels/${entry.index}`, code: "duplicate_label", message });
  }
  return faults;
}

function strideFaults({ order, values }: DefinitionPart): DefinitionFault[] {
  const size = values.length;
  if (size === 0) return [];
  const faults: DefinitionFault[] = [];
  const { valueStride, roundStride } = order;
  if (valueStride !== undefined) {
    const divisor = greatestCommonDivisor(valueStride, size);
    if (valueStride >= size) {
      const message = `Value stride ${valueStride} must be below the number of values, ${size}`;
      faults.push({ pointer: "#/order/valueStride", code: "stride", message });
    } else if (divisor > 1) {
      const message = `Value stride ${valueStride} and the number of values, ${size}, share the divisor ${divisor}, so that a round would not ask every value`;
      faults.push({ pointer: "#/order/valueStride", code: "stride", message });
    }
  }
  if (roundStride !== undefined && roundStride >= size) {
    const message = `Round stride ${roundStride} must be below the number of values, ${size}`;
    faults.push({ pointer: "#/order/roundStride", code: "stride", message });
  }
  return faults;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
