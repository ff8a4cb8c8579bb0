// The shape of a definition file as JSON Schema (draft 2020-12). Editors and authors read its titles and descriptions,
// and the words of shape faults are built from them. Rules between members are in check/rules/.
import { array, boolean, number, object, optional, type Schema, string } from "../../../../json/json-schema.ts";
import { maxArchetypes, maxId, maxItemsPerValue, maxPairings, maxValues } from "../limits.ts";
import {
  choice,
  closed,
  frame,
  labels,
  languagePattern,
  pairOf,
  productPattern,
  text,
  wholeNumber,
} from "./schema-members.ts";
import { scoringSchema } from "./scoring-schema.ts";
import { translationsSchema } from "./translation-schema.ts";

const item = object(
  {
    predicate: text(
      "Predicate",
      1000,
      "Completes the frames, for example 'I arrange my days in the way that suits me'. Used once in the whole definition.",
    ),
    inverse: boolean({
      title: "Inverse",
      description: "True where agreement speaks against the value. Each value needs an inverse and a forward item.",
    }),
    weight: number({
      title: "Weight",
      description: "What the item counts within its value: at most 3 decimals, not 0 for all items of a value.",
      minimum: 0,
      maximum: 100,
    }),
    short: optional(
      boolean({
        title: "Short",
        description:
          "Whether the short form asks the item too: of every value as many, an inverse and a forward one among them.",
      }),
    ),
  },
  { ...closed, title: "Item", description: "A statement without its frame; asked once in each frame." },
);

const value = object(
  {
    id: wholeNumber("Id", 1, maxValues, "Unique among the values."),
    name: text("Name", 100, "The name shown to people, unique among the values."),
    goal: text("Goal", 1000, "The motivational goal in one sentence."),
    items: array(item, {
      title: "Items",
      description: "The statements about the value, as many as every other value has.",
      minItems: 2,
      maxItems: maxItemsPerValue,
    }),
  },
  { ...closed, title: "Value", description: "One of the values that the assessment measures." },
);

const scale = object(
  {
    type: choice(["likert"], { title: "Scale type", description: "The kind of scale; 'likert' is what there is." }),
    min: wholeNumber("Min", 0, 253, "The lowest rating."),
    max: wholeNumber("Max", 0, 253, "The highest rating, above the lowest."),
    labels,
  },
  { ...closed, title: "Scale", description: "The response scale, the same for every statement." },
);

const order = object(
  {
    valueStride: wholeNumber(
      "Value stride",
      1,
      maxValues,
      "Steps around the circle from one statement's value to the next one's; below the number of values and without a common divisor with it.",
    ),
    roundStride: wholeNumber(
      "Round stride",
      0,
      maxValues,
      "Steps around the circle by which each round starts later; below the number of values.",
    ),
  },
  {
    ...closed,
    title: "Order",
    description:
      "How statements are put in order. Each frame is one block; a block has as many rounds as a value has items; round r asks the values at the places (valueStride * j + roundStride * r) mod n of the circle, j = 0..n-1, of n values.",
  },
);

const pairing = object(
  {
    id: wholeNumber("Id", 1, maxId, "Unique among the pairings; 100 times the first value plus the second reads well."),
    values: pairOf(
      "Values",
      wholeNumber("Value id", 1, maxValues, "Id of one of the values."),
      "Ids of two values, the lower one first.",
    ),
    kind: choice(["harmony", "conflict"], {
      title: "Kind",
      description: "Whether the two values pull the same way or apart.",
    }),
    kappa: number({
      title: "Kappa",
      description: "Weight of the pairing in the totals.",
      exclusiveMinimum: 0,
      maximum: 1,
    }),
  },
  { ...closed, title: "Pairing", description: "Two values whose joint priority is reported." },
);

const archetypeMembers = {
  id: wholeNumber("Id", 1, maxId, "Unique among all archetypes."),
  name: text("Name", 100, "The name shown to people, unique among all archetypes."),
  summary: text("Summary", 1000, "What the archetype says about a person."),
};

const unresolvedArchetype = object(archetypeMembers, {
  ...closed,
  title: "Unresolved archetype",
  description: "The archetype of results that allow none of the others.",
});

const gapBelow: Schema<number | null> = {
  type: ["number", "null"],
  title: "Gap below",
  description: "The total gap at which the archetype ends, itself not included; null: no upper end.",
  exclusiveMinimum: 0,
  maximum: 1000,
};

const archetype = object(
  {
    ...archetypeMembers,
    gapFrom: number({
      title: "Gap from",
      description: "The smallest total gap of the archetype.",
      minimum: 0,
      maximum: 100,
    }),
    gapBelow,
    direction: choice(["focused", "plural"], {
      title: "Direction",
      description: "focused: harmony minus conflict is at least the focus threshold; plural: it is below.",
    }),
  },
  {
    ...closed,
    title: "Archetype",
    description: "For each direction the archetypes cover all total gaps from 0 to 100 without overlap.",
  },
);

/** The shape of a definition, without the rules between its members. */
export const definitionSchema = object(
  {
    $schema: optional(string({ title: "$schema", description: "Where editors find this schema.", maxLength: 1000 })),
    product: string({
      title: "Product",
      description: "The product this is an assessment of, as in the URL: letters a-z, digits and hyphens.",
      pattern: productPattern,
    }),
    title: text("Title", 200, "The title shown to people."),
    language: string({
      title: "Language",
      description: "BCP 47 tag of the language of all texts, for example 'en' or 'pt-BR'.",
      maxLength: 35,
      pattern: languagePattern,
    }),
    scale,
    frames: array(frame, {
      title: "Frames",
      description: "One frame for each life context, in the order in which they are asked.",
      minItems: 2,
      maxItems: 2,
    }),
    values: array(value, {
      title: "Values",
      description:
        "In circular order: the first and the last are neighbours. At most 999 questions result, two for each item.",
      minItems: 3,
      maxItems: maxValues,
    }),
    order,
    pairings: array(pairing, {
      title: "Pairings",
      description: "No two values are paired twice.",
      minItems: 1,
      maxItems: maxPairings,
    }),
    archetypes: array(archetype, {
      title: "Archetypes",
      description: "The archetypes between which total gap and direction decide.",
      minItems: 1,
      maxItems: maxArchetypes,
    }),
    unresolvedArchetype,
    scoring: scoringSchema,
    translations: optional(translationsSchema),
  },
  { ...closed, title: "Definition", description: "One version of an assessment." },
);

/** The published document: `docs/assessment-definition.schema.json`. */
export function definitionSchemaDocument(): object {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...definitionSchema };
}
