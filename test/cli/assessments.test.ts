// What an author of a definition sees: faults one by one, and scores with their explanation, without a database.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import { folderOfFile } from "../support/folders.ts";

import { runPas } from "../support/processes/program.ts";
import { changed } from "../support/values-bridge/definition.ts";
import { opened } from "../support/values-bridge/opened.ts";
import { longForm, shortForm } from "../support/values-bridge/short-form.ts";

const folder = folderOfFile();

async function fileWith(content: unknown): Promise<string> {
  const file = join(folder, `${crypto.randomUUID()}.json`);
  await writeFile(file, JSON.stringify(content));
  return file;
}

async function check(definition: unknown): Promise<string[]> {
  const { code, stdout, stderr } = await runPas(["assessment", "check", await fileWith(definition)], {});
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  return stderr.trim().split("\n");
}

test("a definition with ten deliberate faults gets ten separate, clear messages", async () => {
  const sound = longForm();
  const broken = changed(sound, {
    "/translations": undefined,
    "/title": undefined,
    "/scale/labels": sound.scale.labels.slice(1),
    "/frames/1/lifeContext": "ideal",
    "/values/0/items/3/inverse": false,
    "/values/1/items/0/weight": 0.1234,
    "/values/2/items/0/predicate": sound.values[3]?.items[0]?.predicate,
    "/values/4/items": sound.values[4]?.items.slice(1),
    "/pairings/0/values": [1, 20],
    "/archetypes/2/gapFrom": 11,
    "/archetypes/3/gapFrom": 9,
  });
  expect(await check(broken)).toEqual([
    "#/title  Title is missing",
    "#/scale/labels  Ratings from 1 to 7 need 7 labels, not 6",
    "#/frames/1/lifeContext  A frame before this one is for the ideal life too; ideal and current need one each",
    "#/values/3/items/0/predicate  Predicate of item 1 of value 'Enjoyment' repeats that of item 1 of value 'Novelty'",
    "#/values/4/items  Value 'Accomplishment' has 3 items where others have 4; all need the same number",
    "#/values/0/items  Value 'Free Thinking' has no inverse item",
    "#/values/1/items/0/weight  Weight 0.1234 has more than 3 decimals",
    "#/pairings/0/values/1  There is no value with the id 20",
    "#/archetypes  No archetype covers gaps from 10 to 11 with direction focused",
    "#/archetypes/3/gapFrom  Archetypes 2 and 4 both claim gaps from 9 to 10 with direction plural",
    "pas: the definition has 10 faults",
  ]);
});

test("a single fault is counted as one, and a list that is cut off says so", async () => {
  expect((await check(changed(longForm(), { "/title": 1 }))).at(-1)).toBe("pas: the definition has 1 fault");
  const lines = await check(changed(longForm(), { "/values/0/items": Array(100).fill({}) }));
  expect(lines).toHaveLength(201);
  expect(lines.at(-1)).toBe("pas: the definition has at least 200 faults");
});

/** The definition and answers to most of its questions as files, with those answers by position. */
async function answered(definition: Definition) {
  const { product } = definition;
  const assessment = opened({ id: 7, product, version: 3, definition, publishedAt: new Date(0) });
  const sheet = assessment.questions.map((_, index) => (index % 6 === 5 ? null : 1 + ((index * 3) % 7)));
  const answers = assessment.questions.flatMap(({ id }, index) => {
    const value = sheet[index] ?? null;
    return value === null ? [] : [{ questionId: id, response: { type: "likert", value } }];
  });
  const files = ["--assessment", await fileWith(definition), "--answers", await fileWith({ answers })];
  return { ...assessment, sheet, files };
}

test("the command of the documented example gives the results that the page shows", async () => {
  const page = await readFile("docs/results.md", "utf8");
  const [, command = ""] = /^npm run --silent pas -- (score .*)$/m.exec(page) ?? [];
  const { stdout } = await runPas(command.split(" "), {});
  const { results } = JSON.parse(stdout) as { results: unknown };
  const shown = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json = ""]) => JSON.parse(json));
  expect(shown).toContainEqual(results);
});

test("answers that do not fit the definition are refused in one line", async () => {
  const { files } = await answered(longForm());
  const other = await answered(shortForm());
  const mixed = [...other.files.slice(0, 2), ...files.slice(2), "--explain"];
  const { code, stdout, stderr } = await runPas(["score", ...mixed], {});
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^pas: answers\/\d+\/questionId: No question of this session's assessment has this id\.\n$/);
});
