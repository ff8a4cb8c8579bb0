// Every test is run by a suite, and every project of vitest belongs to one: nothing is left out without being named.
import { globSync } from "node:fs";
import { expect, test } from "vitest";
import config from "../../vitest.config.ts";
import { commands } from "../suites.ts";

interface Project {
  readonly name: string;
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
}

const projects = (config.test?.projects ?? []).flatMap((project): Project[] =>
  typeof project === "object" && "test" in project ? [project.test as Project] : [],
);
const suites = Object.values(commands).flat();
const named = new Set(suites.flatMap((suite) => suite.projects ?? []));

test("every project of vitest is one of a suite", () => {
  expect(projects.length).toBeGreaterThan(10);
  expect(projects.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([]);
});

test("every file of tests is run by a suite", () => {
  const run = new Set(
    projects
      .filter(({ name }) => named.has(name))
      .flatMap(({ include, exclude = [] }) => globSync([...include], { exclude: [...exclude] })),
  );
  // These have configurations of their own, or projects where their database is there.
  const elsewhere = ["test/faults/cluster.test.ts", "test/outsiders/**", "test/vitess/**"];
  const files = globSync("test/**/*.test.ts", { exclude: elsewhere });
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => !run.has(file))).toEqual([]);
});
