// The source does not grow unnoticed: docs/house.md says how large each folder may be.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { houseSizes } from "../../tools/house/count.ts";
import { readLimits } from "../../tools/house/limits.ts";

const page = readFileSync("docs/house.md", "utf8");

test("src, each of its folders and test have no more lines and files than docs/house.md allows", () => {
  const limits = readLimits(page);
  expect(limits.size).toBeGreaterThan(10);
  const exceeded = [...houseSizes()].flatMap(([name, size]) => {
    const limit = limits.get(name);
    if (limit === undefined) return [];
    return (["lines", "files"] as const)
      .filter((unit) => size[unit] > limit[unit])
      .map((unit) => `${name} has ${size[unit]} ${unit}, and ${limit[unit]} are allowed`);
  });
  expect(exceeded).toEqual([]);
});
