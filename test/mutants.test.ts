// The table of faults stays true: running it takes half an hour, finding its texts takes none.
import { existsSync, readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { expect, test } from "vitest";
import config from "../vitest.config.ts";
import { mutated } from "./mutants/mutant.ts";
import { mutants } from "./mutants/mutants.ts";

/** Whether a project, or the one of those with a process of their own, has the file. */
function isOf(project: string, file: string): boolean {
  const among = (globs: readonly string[] = []) => globs.some((glob) => matchesGlob(file, glob));
  return (config.test?.projects ?? []).some((each) => {
    if (typeof each !== "object" || !("test" in each) || each.test === undefined) return false;
    const { name, include, exclude } = each.test;
    return (name === project || name === `${project}-alone`) && among(include) && !among(exclude);
  });
}

test("every fault has its place in the code, and tests that are there", () => {
  expect(mutants.length).toBeGreaterThan(40);
  for (const mutant of mutants) {
    const text = readFileSync(mutant.file, "utf8");
    expect(mutated(text, mutant), mutant.fault).not.toBe(text);
    const { fault, project, tests } = mutant;
    expect(
      tests.filter((file) => !existsSync(file) || !isOf(project, file)),
      fault,
    ).toEqual([]);
  }
});
