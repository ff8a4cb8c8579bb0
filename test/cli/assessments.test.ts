// What an author of a definition sees: faults one by one, and scores with their explanation, without a database.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Definition } from "../../src/products/values-bridge/definition/definition.ts";
import { folderOfFile } from "../support/folders.ts";

import { runPas } from "../support/processes/program.ts";
import { changeMembers } from "../support/values-bridge/definition.ts";
import { openStored } from "../support/values-bridge/opened.ts";
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

test("faults of a definition are named by place: those of the schema first, then those of the rules", async () => {
  const broken = changeMembers(longForm(), {
    "/translations": undefined,
    "/scale/labels": longForm().scale.labels.slice(1),
    "/values/4/items/1": undefined,
    "/archetypes/3/gapFrom": 9,
  });
  expect(await check(changeMembers(broken, { "/title": undefined, "/values/1/items/0/weight": 0.1234 }))).toEqual([
    "#  must have required property 'title'",
    "#/values/1/items/0/weight  must be multiple of 0.001",
    "pas: the definition has faults",
  ]);
  expect(await check(broken)).toEqual([
    "#/scale/labels  must be 7 labels, one for each rating",
    "#/values/4/items  must be as many items as those of the first value, 4",
    "#/archetypes/3/gapFrom  must be where the plural archetype before ends, 10",
    "pas: the definition has faults",
  ]);
  expect(await check(changeMembers(longForm(), { "/values/0/items": Array(100).fill({}) }))).toHaveLength(201);
});

/** The definition and answers to most of its questions as files, with those answers by position. */
async function answered(definition: Definition) {
  const { product } = definition;
  const assessment = openStored({ id: 7, product, version: 3, definition, publishedAt: new Date(0) });
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
  const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json = ""]) => JSON.parse(json));
  expect(examples).toContainEqual(results);
});

test("answers that do not fit the definition are refused in one line", async () => {
  const { files } = await answered(longForm());
  const other = await answered(shortForm());
  const mixed = [...other.files.slice(0, 2), ...files.slice(2), "--explain"];
  const { code, stdout, stderr } = await runPas(["score", ...mixed], {});
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(/^pas: answers\/\d+\/questionId: No question of this session's assessment has this id\.\n$/);
});
