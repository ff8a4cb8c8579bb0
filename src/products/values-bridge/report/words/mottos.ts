// A value as a short sentence of the person's own, for posters.

import shipped from "../../definition/values-bridge.json" with { type: "json" };
import type { WordedText } from "../model/definition-words.ts";
import mottos from "./mottos.json" with { type: "json" };

type Mottos = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** By the name of a value, each in its language, as the definition that ships calls it. */
const byName = new Map(
  [shipped, ...shipped.translations].flatMap(({ language, values }) =>
    values.map(({ id, name }) => {
      const english = shipped.values.find((value) => value.id === id)?.name ?? "";
      return [`${language} ${name}`, (mottos as Mottos)[english]?.[language]] as const;
    }),
  ),
);

/** The sentence in the language of the name. Null: none is written, since a definition of a partner's own has other values. */
export function findMotto({ text, language }: WordedText): string | null {
  return byName.get(`${language} ${text}`) ?? null;
}
