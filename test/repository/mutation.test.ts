// What is mutated, and what of a change is.
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import { folderNamed, folders } from "../../tools/mutate/folders.ts";
import scores from "../../tools/mutate/scores.json" with { type: "json" };

test("every folder that is mutated has files, and tests of its own", () => {
  for (const { name, files, tests } of folders) {
    const [wanted, left] = [
      files.filter((glob) => !glob.startsWith("!")),
      files.filter((glob) => glob.startsWith("!")),
    ];
    const exclude = left.map((glob) => glob.slice(1));
    expect([name, globSync(wanted, { exclude }).length > 0]).toEqual([name, true]);
    for (const glob of [...tests, ...wanted]) expect([glob, globSync(glob).length > 0]).toEqual([glob, true]);
  }
  expect(() => folderNamed("nothing")).toThrow("values-bridge/scoring");
  expect(Object.keys(scores).filter((name) => !folders.some((folder) => folder.name === name))).toEqual([]);
});
