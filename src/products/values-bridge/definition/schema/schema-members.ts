// The kinds of members that the schema is made of.

import { array, integer, type Keywords, object, type Schema, string } from "../../../../json/json-schema.ts";

const textPattern = "^[^\\s\\p{Cc}\\p{Cs}]([^\\p{Cc}\\p{Cs}]*[^\\s\\p{Cc}\\p{Cs}])?$";
export const productPattern = "^[a-z][a-z0-9-]{0,62}$";
export const languagePattern = "^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$";

/** What a text must be for each pattern, as a phrase after the member's title. */
export const patternWords: ReadonlyMap<string, string> = new Map([
  [textPattern, "must be one line without white space at its ends or control characters"],
  [productPattern, "must be 1 to 63 lower-case letters, digits and hyphens, and start with a letter"],
  [languagePattern, "must be a language tag such as 'en' or 'pt-BR'"],
]);

/** Option of objects that allow no other members, so that a misspelt name is reported. */
export const closed = { additionalProperties: false };

/** A text shown to people, of 1 to `maxLength` characters. */
export function text(title: string, maxLength: number, description: string) {
  return string({ title, description, minLength: 1, maxLength, pattern: textPattern });
}

export function wholeNumber(title: string, minimum: number, maximum: number, description: string) {
  return integer({ title, description, minimum, maximum });
}

export function pairOf(title: string, items: Schema<number>, description: string): Schema<[number, number]> {
  return { type: "array", items, title, description, minItems: 2, maxItems: 2 };
}

/** One of some texts. A value of another type is reported the same way, with the texts that are allowed. */
export function choice<const T extends string>(values: readonly T[], keywords: Keywords): Schema<T> {
  return { enum: [...values], ...keywords };
}

/** A constant number. */
export function constant<const T extends number>(value: T, keywords: Keywords): Schema<T> {
  return { type: "number", const: value, ...keywords };
}

export const labels = array(text("Label", 200, "What one rating means to people; unlike every other label."), {
  title: "Labels",
  description: "One label for each rating, from the lowest to the highest.",
  minItems: 2,
  maxItems: 255,
});

export const frame = object(
  {
    lifeContext: choice(["ideal", "current"], {
      title: "Life context",
      description: "The life people rate the statements for: the one they want (ideal) or the one they have (current).",
    }),
    text: text("Text", 1000, "The sentence around a predicate; holds {predicate} exactly once."),
  },
  { ...closed, title: "Frame", description: "Turns predicates into statements about one of the two lives." },
);
