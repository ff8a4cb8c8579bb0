// Every way in which a definition can be wrong, each alone.
import { soundDefinition } from "../../support/values-bridge/definition.ts";

/** What is changed in `soundDefinition()`, and the one fault that this is: its pointer, code and message. */
type FaultCase = readonly [changes: Readonly<Record<string, unknown>>, fault: string];

const sixthItems = [
  { predicate: "I come last", inverse: false, weight: 1 },
  { predicate: "I come first", inverse: true, weight: 1 },
];

export const definitionFaults: readonly FaultCase[] = [
  // Each way in which a definition can miss the schema.
  [{ "/values/3/items/1/weight": undefined }, "#/values/3/items/1/weight missing_member Weight is missing"],
  [
    { "/values/3/items/1/wieght": 1 },
    "#/values/3/items/1/wieght unknown_member Item has no member 'wieght'; known are predicate, inverse, weight, short",
  ],
  [{ "/values/3/items/1/weight": "1" }, "#/values/3/items/1/weight wrong_type Weight must be a number, not '1'"],
  [{ "/values/0/id": 1.5 }, "#/values/0/id wrong_type Id must be a whole number, not 1.5"],
  [{ "/pairings": {} }, "#/pairings wrong_type Pairings must be a list, not an object"],
  [
    { "/archetypes/3/gapBelow": Infinity },
    "#/archetypes/3/gapBelow wrong_type Gap below must be a number or null, not Infinity",
  ],
  [{ "/values/0/id": 0 }, "#/values/0/id out_of_range Id must be from 1 to 99, not 0"],
  [{ "/pairings/2/kappa": 0 }, "#/pairings/2/kappa out_of_range Kappa must be above 0 and at most 1, not 0"],
  [{ "/values/2/name": "" }, "#/values/2/name wrong_length Name must have 1 to 100 characters, not 0"],
  [{ "/title": "😀".repeat(201) }, "#/title wrong_length Title must have 1 to 200 characters, not 201"],
  [
    { "/title": "A title " },
    "#/title wrong_form Title must be one line without white space at its ends or control characters",
  ],
  [
    { "/title": "A \ud83d title" },
    "#/title wrong_form Title must be one line without white space at its ends or control characters",
  ],
  [
    { "/product": "Small" },
    "#/product wrong_form Product must be 1 to 63 lower-case letters, digits and hyphens, and start with a letter",
  ],
  [
    { "/values": soundDefinition().values.slice(0, 2), "/pairings/9": undefined },
    "#/values wrong_length Values must have 3 to 99 entries, not 2",
  ],
  [{ "/frames/1": undefined }, "#/frames wrong_length Frames must have exactly 2 entries, not 1"],
  [
    { "/frames/1/lifeContext": "past" },
    "#/frames/1/lifeContext unsupported Life context must be 'ideal' or 'current', not 'past'",
  ],
  [{ "/scoring/model": "means" }, "#/scoring/model unsupported Model must be 'values-bridge-scoring', not 'means'"],
  [{ "/scoring/version": 2 }, "#/scoring/version unsupported Version must be 1, not 2"],
  // Faults of language, scale and order.
  [{ "/product": "events" }, "#/product wrong_form 'events' has another meaning in the interface"],
  [{ "/language": "en-a" }, "#/language wrong_form 'en-a' is not a BCP 47 language tag"],
  [{ "/scale/min": 5 }, "#/scale/max out_of_range The highest rating, 5, is not above the lowest, 5"],
  [{ "/scale/max": 6 }, "#/scale/labels label_count Ratings from 1 to 6 need 6 labels, not 5"],
  [{ "/scale/labels/3": "Ｎｏｔ" }, "#/scale/labels/3 duplicate_label Labels 1 and 4 are both 'Ｎｏｔ'"],
  [{ "/order/valueStride": 6 }, "#/order/valueStride stride Value stride 6 must be below the number of values, 5"],
  [
    { "/values/5": { ...soundDefinition().values[4], id: 6, name: "Sixth", items: sixthItems } },
    "#/order/valueStride stride Value stride 2 and the number of values, 6, share the divisor 2, so that a round would not ask every value",
  ],
  // Faults of frames, predicates and statements.
  [
    { "/frames/0/text": "In the life I want." },
    "#/frames/0/text placeholder Text must hold {predicate} exactly once, not 0 times",
  ],
  [
    { "/frames/1/lifeContext": "ideal" },
    "#/frames/1/lifeContext duplicate_context A frame before this one is for the ideal life too; ideal and current need one each",
  ],
  [
    { "/frames/1/text": "In the life I  WANT, {predicate}." },
    "#/frames/1/text duplicate_frame Text is the same as in the frame before; people could not tell the two lives apart",
  ],
  [
    { "/values/0/items/0/predicate": "I do {predicate}" },
    "#/values/0/items/0/predicate placeholder Predicate must not hold {predicate}, which belongs into the frames",
  ],
  [
    { "/values/4/items/1/predicate": "i make  room for DARING" },
    "#/values/4/items/1/predicate duplicate_predicate Predicate of item 2 of value 'Craft' repeats that of item 1 of value 'Daring'",
  ],
  [
    {
      "/frames/0/text": "In life {predicate}.",
      "/frames/1/text": "In life today {predicate}.",
      "/values/1/items/0/predicate": "today I dare",
      "/values/4/items/0/predicate": "I dare",
    },
    "#/values/4/items/0/predicate duplicate_prompt 'In life today I dare.' is asked twice: it comes from item 1 of value 'Daring' too, in the other frame",
  ],
  // Faults of values and items.
  [
    { "/values/4/id": 1, "/pairings": soundDefinition().pairings.filter((pairing) => !pairing.values.includes(5)) },
    "#/values/4/id duplicate_id Values 'Calm' and 'Craft' both have the id 1",
  ],
  [{ "/values/4/name": "CALM" }, "#/values/4/name duplicate_name A value before this one is named 'CALM' too"],
  [{ "/values/3/items/1/inverse": false }, "#/values/3/items missing_inverse_item Value 'Kinship' has no inverse item"],
  [
    { "/values/3/items/0/inverse": true },
    "#/values/3/items missing_forward_item Value 'Kinship' has no forward item (all are inverse)",
  ],
  [
    { "/values/0/items/2": { predicate: "I breathe", inverse: false, weight: 1 } },
    "#/values/0/items uneven_items Value 'Calm' has 3 items where others have 2; all need the same number",
  ],
  [
    { "/values/3/items/1/weight": 0.1234 },
    "#/values/3/items/1/weight too_many_decimals Weight 0.1234 has more than 3 decimals",
  ],
  [
    { "/values/3/items/0/weight": 0, "/values/3/items/1/weight": 0 },
    "#/values/3/items no_weight Value 'Kinship' cannot be scored: all its items have weight 0",
  ],
  // Faults of pairings.
  [{ "/pairings/9/id": 102 }, "#/pairings/9/id duplicate_id A pairing before this one has the id 102 too"],
  [
    { "/pairings/9/values": [1, 2] },
    "#/pairings/9/values duplicate_pairing A pairing before this one joins values 1 and 2 too",
  ],
  [{ "/pairings/9/values": [4, 4] }, "#/pairings/9/values pairing_order Value 4 cannot be paired with itself"],
  [
    { "/pairings/9/values": [5, 4] },
    "#/pairings/9/values pairing_order Values 5 and 4 must be listed with the lower id first",
  ],
  [{ "/pairings/9/values": [4, 77] }, "#/pairings/9/values/1 unknown_value There is no value with the id 77"],
  [
    { "/pairings": soundDefinition().pairings.filter((pairing) => pairing.kind === "harmony") },
    "#/pairings missing_pairing_kind No pairing is of the kind conflict, so that every result would be unresolved",
  ],
  // Faults of archetypes.
  [{ "/archetypes/3/id": 1 }, "#/archetypes/3/id duplicate_id An archetype before this one has the id 1 too"],
  [
    { "/unresolvedArchetype/id": 3 },
    "#/unresolvedArchetype/id duplicate_id An archetype before this one has the id 3 too",
  ],
  [
    { "/archetypes/3/name": "near" },
    "#/archetypes/3/name duplicate_name An archetype before this one is named 'near' too",
  ],
  [
    { "/unresolvedArchetype/name": "Bound" },
    "#/unresolvedArchetype/name duplicate_name An archetype before this one is named 'Bound' too",
  ],
  [
    { "/archetypes/2/gapFrom": 17.5 },
    "#/archetypes/2/gapFrom overlapping_bands Archetypes 1 and 3 both claim gaps from 17.5 to 20 with direction focused",
  ],
  [
    { "/archetypes/1/gapBelow": 17 },
    "#/archetypes uncovered_gaps No archetype covers gaps from 17 to 20 with direction plural",
  ],
  [
    { "/archetypes/3/gapBelow": 90 },
    "#/archetypes uncovered_gaps No archetype covers gaps from 90 to 100 with direction plural",
  ],
  [
    { "/archetypes/3/gapBelow": 100 },
    "#/archetypes uncovered_gaps No archetype covers a gap of 100 itself with direction plural",
  ],
  [
    { "/archetypes": soundDefinition().archetypes.filter((archetype) => archetype.direction === "focused") },
    "#/archetypes uncovered_gaps No archetype covers gaps from 0 to 100 with direction plural",
  ],
  [
    { "/archetypes/4": { id: 6, name: "Nil", gapFrom: 30, gapBelow: 30, direction: "plural", summary: "None." } },
    "#/archetypes/4/gapBelow empty_band Archetype 6 claims no gap: it starts at 30 and ends below 30",
  ],
  // Faults of the scoring constants.
  [{ "/scoring/tiers/1/name": "Core" }, "#/scoring/tiers/1/name duplicate_name 'Core' is the name of another tier"],
  [{ "/scoring/unranked": "other" }, "#/scoring/unranked duplicate_name 'other' is the name of another tier"],
  [
    { "/scoring/tiers/0/share": [3, 3] },
    "#/scoring/tiers/1/share tier_order Share 2/2 is not above the 3/3 of the tier before",
  ],
  [
    { "/scoring/tiers/1/share": [3, 4] },
    "#/scoring/tiers/1/share last_tier Share of the last tier must be 1 (such as 4/4), not 3/4",
  ],
  [
    { "/scoring/minBaselineValues": 6 },
    "#/scoring/minBaselineValues unreachable Min baseline values is 6, which the 5 values of this definition can never reach",
  ],
];

/** Faults of translations; what is changed is `translatedDefinition()`. */
export const translationFaults: readonly FaultCase[] = [
  [{ "/translations/0/language": "d" }, "#/translations/0/language wrong_form 'd' is not a BCP 47 language tag"],
  [
    { "/translations/0/language": "EN" },
    "#/translations/0/language duplicate_language 'EN' is the language of the definition too",
  ],
  [
    { "/translations/1/language": "de" },
    "#/translations/1/language duplicate_language 'de' is the language of an earlier translation too",
  ],
  [
    { "/translations/0/values/4/predicates/1": "habe ich Raum für Daring" },
    "#/translations/0/values/4/predicates/1 duplicate_predicate Predicate of item 2 of value 5 repeats that of item 1 of value 2",
  ],
  [
    { "/translations/1/values/5": { id: 9, predicates: ["one", "two"] } },
    "#/translations/1/values/5/id unknown_value No value has the id 9",
  ],
  [
    { "/translations/0/values/3": undefined },
    "#/translations/0/values incomplete_translation Not translated: 'Kinship'",
  ],
  [
    { "/translations/0/values/3/predicates/2": "noch einer" },
    "#/translations/0/values/3/predicates incomplete_translation Value 'Kinship' has 2 items, so 3 predicates do not translate it",
  ],
  [
    { "/translations/0/values/2/name": undefined },
    "#/translations/0/values incomplete_translation Without a translated name, though others have one: 'Order'",
  ],
  [
    { "/translations/1/values/0/goal": "هدف" },
    "#/translations/1/values incomplete_translation Without a translated goal, though others have one: 'Daring', 'Order', 'Kinship', 'Craft'",
  ],
  [
    { "/translations/0/values/3/name": "ruhe" },
    "#/translations/0/values/3/name duplicate_name A value before this one is named 'ruhe' too",
  ],
  [
    { "/translations/0/archetypes/1": undefined },
    "#/translations/0/archetypes incomplete_translation Not translated: 'Woven'",
  ],
  [
    { "/translations/0/archetypes/4": { id: 2, name: "Geflochten", summary: "Nah." } },
    "#/translations/0/archetypes/4/id duplicate_id Archetype 2 is translated twice",
  ],
  [
    { "/translations/0/archetypes/4": { id: 5, name: "Fremd", summary: "Anders." } },
    "#/translations/0/archetypes/4/id unknown_archetype No archetype of the list has the id 5",
  ],
  [
    { "/translations/0/unresolvedArchetype/name": "NAH" },
    "#/translations/0/unresolvedArchetype/name duplicate_name An archetype before this one is named 'NAH' too",
  ],
  [
    { "/translations/0/unresolvedArchetype": undefined },
    "#/translations/0/unresolvedArchetype incomplete_translation Translated archetypes without unresolvedArchetype: a translation has both or neither",
  ],
  [
    { "/translations/1/unresolvedArchetype": { name: "مفتوح", summary: "إجابات قليلة." } },
    "#/translations/1/archetypes incomplete_translation Translated unresolvedArchetype without archetypes: a translation has both or neither",
  ],
];
