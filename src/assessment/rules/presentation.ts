// Rules on how statements are shown: language, response scale, order.
import type { DefinitionFault } from "../faults.ts";
import { fold, quote } from "../faults.ts";
import type { DefinitionParts } from "../parts.ts";
import { repeats } from "./repeats.ts";

/** The language is a BCP 47 tag; ratings ascend and have a label each, all different; strides fit the circle. */
export function checkPresentation(parts: DefinitionParts): DefinitionFault[] {
  return [...languageFaults(parts), ...scaleFaults(parts), ...labelFaults(parts), ...strideFaults(parts)];
}

function languageFaults({ language }: DefinitionParts): DefinitionFault[] {
  if (language === undefined || isLanguageTag(language)) return [];
  const message = `${quote(language)} is not a BCP 47 language tag`;
  return [{ pointer: "#/language", code: "wrong_form", message }];
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

function scaleFaults({ scale: { min, max, labels } }: DefinitionParts): DefinitionFault[] {
  if (min === undefined || max === undefined) return [];
  if (min >= max) {
    const message = `The highest rating, ${max}, is not above the lowest, ${min}`;
    return [{ pointer: "#/scale/max", code: "out_of_range", message }];
  }
  const ratings = max - min + 1;
  if (labels === undefined || labels.length === ratings) return [];
  const message = `Ratings from ${min} to ${max} need ${ratings} labels, not ${labels.length}`;
  return [{ pointer: "#/scale/labels", code: "label_count", message }];
}

function labelFaults({ scale: { labels = [] } }: DefinitionParts): DefinitionFault[] {
  const entries = labels.map((label, index) => ({ label, index }));
  return repeats(entries, ({ label }) => fold(label)).map(({ entry, first }) => ({
    pointer: `#/scale/labels/${entry.index}`,
    code: "duplicate_label",
    message: `Labels ${first.index + 1} and ${entry.index + 1} are both ${quote(entry.label)}`,
  }));
}

function strideFaults({ order, values }: DefinitionParts): DefinitionFault[] {
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
