// The table of faults stays true: running it takes half an hour, finding its texts takes none.
import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mutated } from "./mutants/mutant.ts";
import { mutants } from "./mutants/mutants.ts";

test("every fault has its place in the code, and tests that are there", () => {
  expect(mutants.length).toBeGreaterThan(40);
  for (const mutant of mutants) {
    const text = readFileSync(mutant.file, "utf8");
    expect(mutated(text, mutant), mutant.fault).not.toBe(text);
    expect(mutant.tests.filter((file) => !existsSync(file))).toEqual([]);
  }
});
