// Values as short sentences in the first person, for posters.

import shipped from "../../definition/values-bridge.json" with { type: "json" };
import type { WordedText } from "../model/writer.ts";
import mottos from "./mottos.json" with { type: "json" };

type Mottos = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Sentences by language and name of a value in the shipped definition. */
const byName = new Map(
  [shipped, ...shipped.translations].flatMap(({ language, values }) =>
    values.map(({ id, name }) => {
      const english = shipped.values.find((value) => value.id === id)?.name ?? "";
      return [`${language} ${name}`, (mottos as Mottos)[english]?.[language]] as const;
    }),
  ),
);

/** The sentence in the language of the name; null for values of another definition. */
export function findMotto({ text, language }: WordedText): string | null {
  return byName.get(`${language} ${text}`) ?? null;
}
