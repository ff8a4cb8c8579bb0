// The shape of translations, as JSON Schema.
import { Type } from "typebox";
import { MAX_ITEMS_PER_VALUE, MAX_TRANSLATIONS, MAX_VALUES } from "./limits.ts";
import { CLOSED, frame, LANGUAGE_PATTERN, labels, text, wholeNumber } from "./schema-members.ts";

const value = Type.Object(
  {
    id: wholeNumber("Id", 1, MAX_VALUES, "Id of one of the values."),
    predicates: Type.Array(text("Predicate", 1000, "Completes the translated frames."), {
      title: "Predicates",
      description: "One predicate for each item of the value, in the order of the items.",
      minItems: 2,
      maxItems: MAX_ITEMS_PER_VALUE,
    }),
  },
  { ...CLOSED, title: "Translated value", description: "The statements about one value." },
);

const translation = Type.Object(
  {
    language: Type.String({
      title: "Language",
      description: "BCP 47 tag; neither the definition's language nor that of another translation.",
      maxLength: 35,
      pattern: LANGUAGE_PATTERN,
    }),
    title: text("Title", 200, "The title shown to people."),
    labels,
    frames: Type.Array(frame, {
      title: "Frames",
      description: "One frame for each life context.",
      minItems: 2,
      maxItems: 2,
    }),
    values: Type.Array(value, {
      title: "Translated values",
      description: "One entry for each value.",
      minItems: 3,
      maxItems: MAX_VALUES,
    }),
  },
  { ...CLOSED, title: "Translation", description: "All that people read on the hosted pages, in one language." },
);

/** The shape of the list of translations. */
export const translationsSchema = Type.Array(translation, {
  title: "Translations",
  description: "Further languages of the hosted pages. The interface itself gives the prompts of the definition.",
  maxItems: MAX_TRANSLATIONS,
});
