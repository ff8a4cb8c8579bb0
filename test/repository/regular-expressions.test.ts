// No text that somebody sends makes a regular expression slow: each takes steps in proportion to the length of its text.
import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { definitionSchemaDocument } from "../../src/products/values-bridge/definition/schema/definition-schema.ts";
import { regExpLiterals } from "../support/regexp/literals.ts";
import { worstGrowth } from "../support/regexp/work.ts";

/** Twice the text, and not even three times the work. */
const most = 3;

/** Expressions that would be slow, and whose texts nobody outside can choose. */
const ownTexts: Readonly<Record<string, string>> = {
  "/\\/+$/": "the operator's PUBLIC_URL",
  "/[^{}\\s]+(?![^{]*\\})/g": "our own catalogue of texts, in tests",
  '/(?:<div class="code" data-language="(?:sh|ts|python)">(?:(?!<\\/pre>).)*<\\/pre><\\/div>\\s*){2,}/gs':
    "our own guides, at the start",
};

const files = globSync("src/**/*.ts").filter((file) => !file.startsWith("src/gen/"));
const literals = files.flatMap((file) => regExpLiterals(readFileSync(file, "utf8")));
const patterns = patternsIn(definitionSchemaDocument()).map((source) => new RegExp(source, "u"));
const all = new Map([...literals, ...patterns].map((pattern) => [String(pattern), pattern]));

/** The patterns of a JSON schema. */
function patternsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([name, member]) =>
    name === "pattern" && typeof member === "string" ? [member] : patternsIn(member),
  );
}

describe("counting", () => {
  test.each([/(a+)+$/, /^(\w+\s?)*$/, /(a|a)*b/, /\s+$/, /^.*.*=/s, /^(a?){30}a{30}$/, /(?:x[^"]*)+"/])(
    "finds that %s is slow",
    (pattern) => {
      expect(worstGrowth(pattern).growth).toBeGreaterThan(most);
    },
  );

  test.each([/^a+$/, /^[^:]*:.*$/s, /\s+/g, /^Bearer +([^ ]+) *$/i, /^(?:a|b)+c$/])(
    "finds that %s is quick",
    (pattern) => {
      expect(worstGrowth(pattern).growth).toBeLessThan(most);
    },
  );
});

describe("reading sources", () => {
  test("finds every literal, and nothing else between slashes", () => {
    const source = [
      "const a = b / c / d; // not /this/ one",
      "/* nor /this/ */ f(/one/g, 'not /this/', `nor /this/ $" + "{/two[/]/.test(x)} /this/`);",
      "return /three\\/3/u;",
    ].join("\n");
    expect(regExpLiterals(source).map(String)).toEqual(["/one/g", "/two[/]/", "/three\\/3/u"]);
  });

  test("finds those of the service, and that it makes none out of texts", () => {
    const known = [
      "/^Bearer +([^ ]+) *$/i",
      "/^[A-Za-z0-9._-]{1,128}$/",
      "/^q-(\\d{1,9})$/",
      "/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/u",
    ];
    expect([...all.keys()]).toEqual(expect.arrayContaining(known));
    expect(patterns.length).toBeGreaterThan(2);
    expect(all.size).toBeGreaterThan(40);
    expect(files.filter((file) => /\bRegExp\(/.test(readFileSync(file, "utf8")))).toEqual([]);
  });
});

test("what is slow on texts of our own is still there, and still slow", () => {
  const slow = Object.keys(ownTexts).filter((name) => worstGrowth(all.get(name) ?? /-/).growth > most);
  expect(slow).toEqual(Object.keys(ownTexts));
});

const ofOthers = [...all].filter(([name]) => !(name in ownTexts));

test.each(ofOthers)("%s takes twice the steps for twice the text, whatever the text", (_name, pattern) => {
  const { growth, text } = worstGrowth(pattern);
  expect([text, growth < most]).toEqual([text, true]);
});
