// Faults of language, scale and order.
import { soundDefinition } from "../../../support/values-bridge/definition.ts";
import type { FaultCase } from "./fault-case.ts";

const sixthItems = [
  { predicate: "I come last", inverse: false, weight: 1 },
  { predicate: "I come first", inverse: true, weight: 1 },
];

export const presentationFaults: readonly FaultCase[] = [
  [
    "a product whose name means something else in URLs",
    { "/product": "events" },
    "#/product",
    "wrong_form",
    "'events' has another meaning in the interface",
  ],
  [
    "a language tag that is none",
    { "/language": "en-a" },
    "#/language",
    "wrong_form",
    "'en-a' is not a BCP 47 language tag",
  ],
  [
    "a scale without span",
    { "/scale/min": 5 },
    "#/scale/max",
    "out_of_range",
    "The highest rating, 5, is not above the lowest, 5",
  ],
  [
    "a rating without label",
    { "/scale/max": 6 },
    "#/scale/labels",
    "label_count",
    "Ratings from 1 to 6 need 6 labels, not 5",
  ],
  [
    "two labels alike",
    { "/scale/labels/3": "Ｎｏｔ" },
    "#/scale/labels/3",
    "duplicate_label",
    "Labels 1 and 4 are both 'Ｎｏｔ'",
  ],
  [
    "a value stride as large as the circle",
    { "/order/valueStride": 6 },
    "#/order/valueStride",
    "stride",
    "Value stride 6 must be below the number of values, 5",
  ],
  [
    "a value stride that comes round too early",
    { "/values/5": { ...soundDefinition().values[4], id: 6, name: "Sixth", items: sixthItems } },
    "#/order/valueStride",
    "stride",
    "Value stride 2 and the number of values, 6, share the divisor 2, so that a round would not ask every value",
  ],
];
