// A definition that is as hard to lay out as any: every name of a value is as long as names are.
import type { Definition } from "../../../src/products/values-bridge/definition/definition.ts";

import { longForm } from "../values-bridge/short-form.ts";

const letters = "enisratdhulcgmobwfkzpvüäö";

/** A name of up to 30 characters, of one word or more, as long as `random` has it. */
export function someName(random: () => number, least = 1): string {
  const length = least + Math.floor(random() * (31 - least));
  const characters = Array.from({ length }, (_, index) => {
    const isSpace = index > 1 && index < length - 2 && random() < 0.08;
    return isSpace ? " " : (letters[Math.floor(random() ** 2 * letters.length)] ?? "e");
  });
  const name = characters.join("").replace(/ {2,}/g, " e");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The shipped definition with other names of values, all different. */
export function namedForm(nameOf: (index: number) => string): Definition {
  const { translations: _, ...definition } = longForm();
  const values = definition.values.map((value, index) => ({ ...value, name: nameOf(index) }));
  return { ...definition, values };
}

/** The shipped definition with names of 30 characters: of one word, two words, three words. */
export function longestForm(): Definition {
  const kinds = ["Selbstverantwortungsbewusstsei", "Gesellschaftliche Verbindungen", "Offen sein für ganz Neues und "];
  return namedForm((index) => `${(kinds[index % 3] ?? "").slice(0, 28)}${String(index).padStart(2, "0")}`);
}
