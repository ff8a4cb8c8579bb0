// Every way in which a definition can be wrong, each alone.
import { compileDefinitionCheck } from "../../../src/products/values-bridge/definition/check.ts";
import { soundDefinition } from "../../support/values-bridge/definition.ts";

/** What is changed in `soundDefinition()`, and the faults that this is. */
type FaultCase = readonly [changes: Readonly<Record<string, unknown>>, ...faults: string[]];

const sixthItems = [
  { predicate: "I come last", inverse: false, weight: 1 },
  { predicate: "I come first", inverse: true, weight: 1 },
];

const ofDefinitions: readonly FaultCase[] = [
  // What the check says of a definition that misses the schema, in words of its own.
  [{ "/values/3/items/1/weight": undefined }, "#/values/3/items/1 must have required property 'weight'"],
  [{ "/values/3/items/1/wieght": 1 }, "#/values/3/items/1/wieght is no member here"],
  [{ "/values/2/name": "" }, "#/values/2/name must be one line without white space at its ends or control characters"],
  [{ "/title": "A title " }, "#/title must be one line without white space at its ends or control characters"],
  [{ "/title": "A \ud83d title" }, "#/title must be one line without white space at its ends or control characters"],
  [{ "/frames/1/lifeContext": "past" }, "#/frames/1/lifeContext must be one of: ideal, current"],
  [{ "/scoring/version": 2 }, "#/scoring/version must be one of: 1"],
  // Faults of language, scale and order.
  [
    { "/product": "events" },
    "#/product must be 1 to 63 lower-case letters, digits and hyphens, start with a letter, and not be audit, events, test or webhook-endpoints",
  ],
  [{ "/language": "en-a" }, '#/language must match format "language-tag"'],
  [{ "/scale/min": 5 }, "#/scale/max must be above min", "#/scale/labels must be 1 labels, one for each rating"],
  [{ "/scale/max": 6 }, "#/scale/labels must be 6 labels, one for each rating"],
  [{ "/scale/labels/3": "Ｎｏｔ" }, "#/scale/labels/3 must not be the same as #/scale/labels/0"],
  [
    { "/values/5": { ...soundDefinition().values[4], id: 6, name: "Sixth", items: sixthItems } },
    "#/order/valueStride must have no common divisor with the number of values, 6: a round would leave values out",
  ],
  // Faults of frames, predicates and statements.
  [{ "/frames/0/text": "In the life I want." }, "#/frames/0/text must hold {predicate} exactly once"],
  [{ "/frames/1/lifeContext": "ideal" }, "#/frames/1/lifeContext must not be the same as #/frames/0/lifeContext"],
  [
    { "/frames/1/text": "In the life I  WANT, {predicate}." },
    "#/frames/1/text must not be the same as #/frames/0/text",
  ],
  [
    { "/values/0/items/0/predicate": "I do {predicate}" },
    "#/values/0/items/0/predicate must not hold {predicate}, which belongs into the frames",
  ],
  [
    { "/values/4/items/1/predicate": "i make  room for DARING" },
    "#/values/4/items/1/predicate must not be the same as #/values/1/items/0/predicate",
  ],
  // Faults of values and items.
  [
    { "/values/4/id": 1, "/pairings": soundDefinition().pairings.filter((pairing) => !pairing.values.includes(5)) },
    "#/values/4/id must not be the same as #/values/0/id",
  ],
  [{ "/values/4/name": "CALM" }, "#/values/4/name must not be the same as #/values/0/name"],
  [{ "/values/3/items/1/inverse": false }, "#/values/3/items must have an inverse and a forward one among the items"],
  [{ "/values/3/items/0/inverse": true }, "#/values/3/items must have an inverse and a forward one among the items"],
  [
    { "/values/3/items/2": { predicate: "I breathe", inverse: false, weight: 1 } },
    "#/values/3/items must be as many items as those of the first value, 2",
  ],
  [{ "/values/3/items/1/weight": 0.1234 }, "#/values/3/items/1/weight must be multiple of 0.001"],
  [
    { "/values/3/items/0/weight": 0, "/values/3/items/1/weight": 0 },
    "#/values/3/items must have one with a weight above 0 among the items",
  ],
  // Faults of pairings.
  [{ "/pairings/9/id": 102 }, "#/pairings/9/id must not be the same as #/pairings/0/id"],
  [{ "/pairings/9/values": [1, 2] }, "#/pairings/9/values must not be the same as #/pairings/0/values"],
  [{ "/pairings/9/values": [4, 4] }, "#/pairings/9/values must be the ids of two values, the lower one first"],
  [{ "/pairings/9/values": [5, 4] }, "#/pairings/9/values must be the ids of two values, the lower one first"],
  [{ "/pairings/9/values": [4, 77] }, "#/pairings/9/values must be the ids of two values, the lower one first"],
  [
    { "/pairings": soundDefinition().pairings.filter((pairing) => pairing.kind === "harmony") },
    "#/pairings must have one of the kind conflict",
  ],
  // Faults of archetypes.
  [{ "/archetypes/3/id": 1 }, "#/archetypes/3/id must not be the same as #/archetypes/0/id"],
  [{ "/unresolvedArchetype/id": 3 }, "#/unresolvedArchetype/id must not be the same as #/archetypes/2/id"],
  [{ "/archetypes/3/name": "near" }, "#/archetypes/3/name must not be the same as #/archetypes/0/name"],
  [{ "/unresolvedArchetype/name": "Bound" }, "#/unresolvedArchetype/name must not be the same as #/archetypes/2/name"],
  [{ "/archetypes/2/gapFrom": 17.5 }, "#/archetypes/2/gapFrom must be where the focused archetype before ends, 20"],
  [{ "/archetypes/1/gapBelow": 17 }, "#/archetypes/3/gapFrom must be where the plural archetype before ends, 17"],
  [{ "/archetypes/3/gapBelow": 90 }, "#/archetypes must have one for gaps from 90 to 100, plural"],
  [{ "/archetypes/3/gapBelow": 100 }, "#/archetypes must have one for gaps from 100 to 100, plural"],
  [
    { "/archetypes": soundDefinition().archetypes.filter((archetype) => archetype.direction === "focused") },
    "#/archetypes must have one for gaps from 0 to 100, plural",
  ],
  [
    { "/archetypes/4": { id: 6, name: "Nil", gapFrom: 30, gapBelow: 30, direction: "plural", summary: "None." } },
    "#/archetypes/4/gapFrom must be where the plural archetype before ends, Infinity",
    "#/archetypes/4/gapBelow must be above gapFrom",
    "#/archetypes must have one for gaps from 30 to 100, plural",
  ],
  // Faults of the scoring constants.
  [{ "/scoring/tiers/1/name": "Core" }, "#/scoring/tiers/1/name must not be the same as #/scoring/tiers/0/name"],
  [{ "/scoring/unranked": "other" }, "#/scoring/unranked must not be the same as #/scoring/tiers/1/name"],
  [{ "/scoring/tiers/0/share": [3, 3] }, "#/scoring/tiers/1/share must be above that of the tier before"],
  [{ "/scoring/tiers/1/share": [3, 4] }, "#/scoring/tiers/1/share must be 1 for the last tier, such as 4/4"],
  [{ "/scoring/minBaselineValues": 6 }, "#/scoring/minBaselineValues must be at most 5, the number of values"],
];

/** Faults of translations; what is changed is `translatedDefinition()`. */
const ofTranslations: readonly FaultCase[] = [
  [{ "/translations/0/language": "d" }, '#/translations/0/language must match format "language-tag"'],
  [{ "/translations/0/language": "EN" }, "#/translations/0/language must not be the same as #/language"],
  [{ "/translations/1/language": "de" }, "#/translations/1/language must not be the same as #/translations/0/language"],
  [
    { "/translations/0/values/4/predicates/1": "habe ich Raum für Daring" },
    "#/translations/0/values/4/predicates/1 must not be the same as #/translations/0/values/1/predicates/0",
  ],
  [
    { "/translations/1/values/5": { id: 9, name: "تاسع", goal: "هدف.", predicates: ["one", "two"] } },
    "#/translations/1/values must have the ids of the definition's values: 1, 2, 3, 4, 5",
  ],
  [
    { "/translations/0/values/3": undefined },
    "#/translations/0/values must have the ids of the definition's values: 1, 2, 3, 4, 5",
  ],
  [
    { "/translations/0/values/3/predicates/2": "noch einer" },
    "#/translations/0/values/3/predicates must be 2 predicates, one for each item of the value",
  ],
  [
    { "/translations/0/values/3/name": "ruhe" },
    "#/translations/0/values/3/name must not be the same as #/translations/0/values/0/name",
  ],
  [
    { "/translations/0/archetypes/1": undefined },
    "#/translations/0/archetypes must have the ids of the definition's archetypes: 1, 2, 3, 4",
  ],
  [
    { "/translations/0/archetypes/4": { id: 2, name: "Geflochten", summary: "Nah." } },
    "#/translations/0/archetypes/4/id must not be the same as #/translations/0/archetypes/1/id",
  ],
  [
    { "/translations/0/archetypes/4": { id: 5, name: "Fremd", summary: "Anders." } },
    "#/translations/0/archetypes must have the ids of the definition's archetypes: 1, 2, 3, 4",
  ],
  [
    { "/translations/0/unresolvedArchetype/name": "NAH" },
    "#/translations/0/unresolvedArchetype/name must not be the same as #/translations/0/archetypes/0/name",
  ],
  [
    { "/translations/0/unresolvedArchetype": undefined },
    "#/translations/0 must have required property 'unresolvedArchetype'",
  ],
];

const toCase = ([changes, ...faults]: FaultCase) => ({ changes, faults });
export const definitionFaults = ofDefinitions.map(toCase);
export const translationFaults = ofTranslations.map(toCase);

export const check = compileDefinitionCheck();

/** The faults of a definition, as `#/place message`. */
export function findFaults(definition: unknown): string[] {
  const checked = check(definition);
  return "faults" in checked ? checked.faults.map(({ pointer, message }) => `${pointer} ${message}`) : [];
}
