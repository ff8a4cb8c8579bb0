// The packages of R that the kit needs are said once, and every place that installs them has the same.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { packagesOfR } from "../../tools/validation/kit.ts";

const needed = packagesOfR.toSorted();

test("the image installs what the kit needs", () => {
  const named = readFileSync("deploy/Containerfile.validation", "utf8").match(/\br-(?:base|cran)-[a-z]+/g) ?? [];
  expect(needed.length).toBeGreaterThan(5);
  expect([...new Set(named)].toSorted()).toEqual(needed);
});

test("programs of the kit use packages that are named, and no other", () => {
  const used = globSync("tools/validation/r/*.R").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\b([A-Za-z]+)::/g)].map(([, name = ""]) => name.toLowerCase()),
  );
  // These come with R.
  const own = ["stats", "utils", "grdevices", "graphics", "parallel"];
  // psych turns factors by it.
  const behind = ["gparotation"];
  const outside = [...used, ...behind].filter((name) => !own.includes(name));
  expect([...new Set(outside)].toSorted()).toEqual(needed.slice(1).map((name) => name.replace("r-cran-", "")));
});

test("validation.json names the version of each", () => {
  const [, named = ""] = /packages <- c\((.*)\)/.exec(readFileSync("tools/validation/r/main.R", "utf8")) ?? [];
  const packages = [...named.matchAll(/"(\w+)"/g)].map(([, name = ""]) => `r-cran-${name.toLowerCase()}`);
  expect(packages.toSorted()).toEqual(needed.filter((name) => name !== "r-base-core"));
});
