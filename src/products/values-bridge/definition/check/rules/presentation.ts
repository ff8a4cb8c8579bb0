// Rules on how statements are shown: language, response scale, order.
import { greatestCommonDivisor } from "../../../scoring/exact.ts";
import { RESERVED_PRODUCTS } from "../../limits.ts";
import { quote, type Report } from "../faults.ts";
import type { DefinitionPart } from "../parts.ts";
import { forRepeats } from "./repeats.ts";

/** The product's name is free; the language is a BCP 47 tag; ratings ascend and have a label each, all different; strides fit the circle. */
export function checkPresentation(parts: DefinitionPart, report: Report): void {
  const { product, scale } = parts;
  if (product !== undefined && RESERVED_PRODUCTS.includes(product)) {
    report("#/product", "wrong_form", `${quote(product)} has another meaning in the interface`);
  }
  checkLanguage(parts, report);
  const { min, max } = scale;
  if (min !== undefined && max !== undefined && min >= max) {
    report("#/scale/max", "out_of_range", `The highest rating, ${max}, is not above the lowest, ${min}`);
  }
  checkLabels(scale, scale, report);
  checkStrides(parts, report);
}

/** The language is a BCP 47 tag. */
export function checkLanguage(
  { pointer, language }: Pick<DefinitionPart, "pointer" | "language">,
  report: Report,
): void {
  if (language === undefined || isLanguageTag(language)) return;
  report(`${pointer}/language`, "wrong_form", `${quote(language)} is not a BCP 47 language tag`);
}

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Each rating has a label of its own. */
export function checkLabels(
  { min, max }: Pick<DefinitionPart["scale"], "min" | "max">,
  { pointer, labels = [] }: Pick<DefinitionPart["scale"], "pointer" | "labels">,
  report: Report,
): void {
  const ratings = min === undefined || max === undefined || min >= max ? labels.length : max - min + 1;
  if (labels.length > 0 && labels.length !== ratings) {
    const message = `Ratings from ${min} to ${max} need ${ratings} labels, not ${labels.length}`;
    report(`${pointer}/labels`, "label_count", message);
  }
  const entries = labels.map((label, index) => ({ label, index }));
  forRepeats(
    entries,
    ({ label }) => label,
    ({ label, index }, first) => {
      const message = `Labels ${first.index + 1} and ${index + 1} are both ${quote(label)}`;
      report(`${pointer}/labels/${index}`, "duplicate_label", message);
    },
  );
}

function checkStrides({ order, values: { length: size } }: DefinitionPart, report: Report): void {
  const { valueStride = 1, roundStride = 0 } = order;
  if (size === 0) return;
  const divisor = greatestCommonDivisor(valueStride, size);
  if (valueStride >= size) {
    const message = `Value stride ${valueStride} must be below the number of values, ${size}`;
    report("#/order/valueStride", "stride", message);
  } else if (divisor > 1) {
    const message = `Value stride ${valueStride} and the number of values, ${size}, share the divisor ${divisor}, so that a round would not ask every value`;
    report("#/order/valueStride", "stride", message);
  }
  if (roundStride >= size) {
    const message = `Round stride ${roundStride} must be below the number of values, ${size}`;
    report("#/order/roundStride", "stride", message);
  }
}
