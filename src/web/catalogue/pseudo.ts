// A language for testing: the English texts as a language that is written from right to left would show them.
import { english } from "./english.ts";
import type { Catalogue, Plural, Texts } from "./texts.ts";

/** Turns the direction of what it encloses (Unicode bidirectional algorithm). */
const rightToLeft = "\u202e";
const end = "\u202c";

/** `ar-XB` is the tag that the Unicode locale data gives to this. It is chosen by nobody who does not ask for it. */
export const pseudoRightToLeft: Catalogue = {
  language: "ar-XB",
  texts: Object.fromEntries(Object.entries(english.texts).map(([name, text]) => [name, turned(text)])) as {
    [K in keyof Texts]: Texts[K];
  },
};

function turned(text: string | Plural): string | Plural {
  if (typeof text === "string") return text.replace(/[^{}\s]+(?![^{]*\})/g, (word) => `${rightToLeft}${word}${end}`);
  return Object.fromEntries(Object.entries(text).map(([category, each]) => [category, turned(each)])) as Plural;
}
