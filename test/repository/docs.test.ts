// The documentation says what the code does: generated files are up to date, and the worked example adds up.
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { formatProblem } from "../../src/docs-site/problems.ts";
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import valuesBridge from "../../src/products/values-bridge/definition/values-bridge.json" with { type: "json" };
import { documents } from "../../tools/docs/documents.ts";
import { instrumentParts, readItemNotes } from "../../tools/docs/pages/instrument-page.ts";
import { changeMembers } from "../support/values-bridge/definition.ts";

test.each([...(await documents())])("%s is what `npm run docs` writes", (file, content) => {
  const committed = readFileSync(file, "utf8");
  // JSON is formatted after it was written.
  if (file.endsWith(".json")) expect(JSON.parse(committed)).toEqual(JSON.parse(content));
  else expect(committed).toBe(content);
});

test("the guide on groups shows the numbers of a recorded response, of its first value", () => {
  const [, pageExample = ""] = /```json\n(.*?)```/s.exec(readFileSync("docs/groups.md", "utf8")) ?? [];
  const examples = JSON.parse(readFileSync("tools/openapi/response-examples.json", "utf8"));
  const recording = JSON.parse(examples.getGroupNumbers[200]);
  recording.numbers.values.splice(1);
  expect(JSON.parse(pageExample)).toEqual(recording);
});

test.each([
  ["events_expired", "oldest"],
  ["endpoint_exists", "endpointId"],
  ["numbers_withheld", "withheld"],
] as const)("the example of the problem %s has its member %s", (code, member) => {
  expect(JSON.parse(formatProblem(code))).toHaveProperty(member);
});

test("every link of a page leads to a file and a heading that exist", () => {
  const links = globSync(["*.md", "{clients,docs,deploy,examples,mcp,test}/**/*.md"], {
    exclude: ["**/node_modules"],
  }).flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:|mailto:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
      ([link, path, anchor]) => ({ link: `${page}: ${link}`, file: path ? join(dirname(page), path) : page, anchor }),
    ),
  );
  expect(links.length).toBeGreaterThan(100);
  const broken = links.filter(
    ({ file, anchor }) => !existsSync(file) || (anchor !== undefined && !listAnchors(file).includes(anchor)),
  );
  expect(broken.map(({ link }) => link)).toEqual([]);
});

/** Addresses of the headings of a page, as GitHub makes them. */
function listAnchors(page: string): string[] {
  return [...readFileSync(page, "utf8").matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\s-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("the ten files to read first exist", () => {
  const [, list = ""] = /^## Read these ten files first$(.*?)^## /ms.exec(readFileSync("docs/house.md", "utf8")) ?? [];
  const paths = [...list.matchAll(/`((?:src|test)\/[^`]+)`/g)].map(([, path = ""]) => path);
  expect(paths.length).toBe(11);
  expect(paths.filter((path) => !existsSync(path))).toEqual([]);
});

const definition = valuesBridge as unknown as Definition;
const notes = readItemNotes();

test("each statement has one note, in order", () => {
  const places = definition.values.flatMap(({ id, items }) => items.map((_, index) => `${id}.${index + 1}`));
  expect(notes.map(({ item }) => item)).toEqual(places);
});

test("a changed statement needs another note", () => {
  const reworded = changeMembers(definition, {
    "/values/4/items/2/predicate": "I reach the goals of others",
  }) as Definition;
  expect(() => instrumentParts(reworded)).toThrow("the note on 5.3 is about other words than");
  expect(() => instrumentParts(definition, notes.slice(1))).toThrow("no note on statement 1.1");
});
