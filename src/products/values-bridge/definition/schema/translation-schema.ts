// The shape of translations, as JSON Schema.
import { array, object, optional, string } from "../../../../json/json-schema.ts";
import { translationStates } from "../../quality/model.ts";
import { maxArchetypes, maxId, maxItemsPerValue, maxTranslations, maxValues } from "../limits.ts";
import { choice, closed, frame, labels, languagePattern, text, wholeNumber } from "./schema-members.ts";

const value = object(
  {
    id: wholeNumber("Id", 1, maxValues, "Id of one of the values."),
    predicates: array(text("Predicate", 1000, "Completes the translated frames."), {
      title: "Predicates",
      description: "One predicate for each item of the value, in the order of the items.",
      minItems: 2,
      maxItems: maxItemsPerValue,
    }),
    name: optional(text("Name", 100, "The name shown to people, unique among the translated values.")),
    goal: optional(text("Goal", 1000, "The motivational goal in one sentence.")),
  },
  { ...closed, title: "Translated value", description: "What people read of one value." },
);

const archetypeTexts = {
  name: text("Name", 100, "The name shown to people, unique among the translated archetypes."),
  summary: text("Summary", 1000, "What the archetype says about a person."),
};

const unresolvedArchetype = object(archetypeTexts, {
  ...closed,
  title: "Translated unresolved archetype",
  description: "The archetype of results that allow none of the others.",
});

const archetype = object(
  {
    id: wholeNumber("Id", 1, maxId, "Id of one of the archetypes."),
    ...archetypeTexts,
  },
  { ...closed, title: "Translated archetype", description: "What people read of one archetype." },
);

const translation = object(
  {
    language: string({
      title: "Language",
      description: "BCP 47 tag; neither the definition's language nor that of another translation.",
      maxLength: 35,
      pattern: languagePattern,
    }),
    state: optional(
      choice(translationStates, {
        title: "State",
        description:
          "How far the translation has come: by one translator, reconciled from two, tested with people, or shown to measure the same. Absent: draft.",
      }),
    ),
    title: text("Title", 200, "The title shown to people."),
    labels,
    frames: array(frame, {
      title: "Frames",
      description: "One frame for each life context.",
      minItems: 2,
      maxItems: 2,
    }),
    values: array(value, {
      title: "Translated values",
      description: "One entry for each value. Either all have a name or none has, and so with goals.",
      minItems: 3,
      maxItems: maxValues,
    }),
    archetypes: optional(
      array(archetype, {
        title: "Translated archetypes",
        description: "One entry for each archetype but the unresolved one.",
        minItems: 1,
        maxItems: maxArchetypes,
      }),
    ),
    unresolvedArchetype: optional(unresolvedArchetype),
  },
  {
    ...closed,
    title: "Translation",
    description: "What people read, in one language. Names, goals and archetypes that it leaves out stay untranslated.",
  },
);

/** The shape of the list of translations. */
export const translationsSchema = array(translation, {
  title: "Translations",
  description:
    "Further languages of what people read. The interface itself gives the prompts and names of the definition.",
  maxItems: maxTranslations,
});
