// The glossary says which words are not used any more, and for what. No name in src has one of them.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Retired {
  readonly word: string;
  /** Public names that a release or the database has promised. */
  readonly kept: readonly string[];
}

const glossary = readFileSync("docs/glossary.md", "utf8");
const table = glossary.slice(glossary.indexOf("## Words that are not used"));
const retired: readonly Retired[] = [...table.matchAll(/^\| \*\*(.+?)\*\* \|[^|]*\|([^|]*)\|$/gm)].map(
  ([, word = "", kept = ""]) => ({ word, kept: [...kept.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name) }),
);

/** The names in a text of TypeScript: what is neither comment nor string. Of templates, what they put in. */
function namesIn(text: string): readonly string[] {
  const code = text
    .replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"'`\\])\/\/.*/g, " ")
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, " ")
    .replaceAll(/`(?:[^`\\$]|\\[\s\S]|\$(?!\{)|\$\{[^}]*\})*`/g, (literal) =>
      [...literal.matchAll(/\$\{([^}]*)\}/g)].map(([, put]) => put).join(" "),
    );
  return [...new Set(code.match(/(?<![\w$])[a-zA-Z]+(?![\w$])/g) ?? [])];
}

/** A name as words in the singular, between spaces: `heldSessionIds` is ` held session id `. */
function wordsOf(name: string): string {
  const words = name.split(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  return ` ${words.map((word) => word.toLowerCase().replace(/s$/, "")).join(" ")} `;
}

test("the glossary has words that are not used", () => {
  expect(retired.length).toBeGreaterThan(10);
});

test("no name in src has a word that the glossary has retired", () => {
  const found = globSync("src/**/*.ts", { exclude: ["src/gen/**"] }).flatMap((file) =>
    namesIn(readFileSync(file, "utf8")).flatMap((name) =>
      retired
        .filter(({ word, kept }) => wordsOf(name).includes(` ${word} `) && !kept.includes(name))
        .map(({ word }) => `${file}: ${name} has the retired word ${word}`),
    ),
  );
  expect(found).toEqual([]);
});
