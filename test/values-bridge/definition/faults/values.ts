// Faults of values and items.
import { soundDefinition } from "../../../support/values-bridge/definition.ts";
import type { FaultCase } from "./fault-case.ts";

export const valuesFaults: readonly FaultCase[] = [
  [
    "two values with one id",
    { "/values/4/id": 1, "/pairings": soundDefinition().pairings.filter((pairing) => !pairing.values.includes(5)) },
    "#/values/4/id",
    "duplicate_id",
    "Values 'Calm' and 'Craft' both have the id 1",
  ],
  [
    "two values with one name",
    { "/values/4/name": "CALM" },
    "#/values/4/name",
    "duplicate_name",
    "A value before this one is named 'CALM' too",
  ],
  [
    "a value without inverse item",
    { "/values/3/items/1/inverse": false },
    "#/values/3/items",
    "missing_inverse_item",
    "Value 'Kinship' has no inverse item",
  ],
  [
    "a value without forward item",
    { "/values/3/items/0/inverse": true },
    "#/values/3/items",
    "missing_forward_item",
    "Value 'Kinship' has no forward item (all are inverse)",
  ],
  [
    "a value with more items than others",
    { "/values/0/items/2": { predicate: "I breathe", inverse: false, weight: 1 } },
    "#/values/0/items",
    "uneven_items",
    "Value 'Calm' has 3 items where others have 2; all need the same number",
  ],
  [
    "a weight with four decimals",
    { "/values/3/items/1/weight": 0.1234 },
    "#/values/3/items/1/weight",
    "too_many_decimals",
    "Weight 0.1234 has more than 3 decimals",
  ],
  [
    "a value without weight",
    { "/values/3/items/0/weight": 0, "/values/3/items/1/weight": 0 },
    "#/values/3/items",
    "no_weight",
    "Value 'Kinship' cannot be scored: all its items have weight 0",
  ],
];
