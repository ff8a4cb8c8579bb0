// Every test is run by a suite, and every project of vitest belongs to one: nothing is left out without being named.
import { spawnSync } from "node:child_process";
import { globSync } from "node:fs";
import { delimiter } from "node:path";
import { expect, test } from "vitest";
import config, { fullRuns } from "../../vitest.config.ts";
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
const suiteProjects = new Set(suites.flatMap((suite) => suite.projects ?? []));

test("every project of vitest is one of a suite", () => {
  expect(projects.length).toBeGreaterThan(10);
  expect(projects.map(({ name }) => name).filter((name) => !suiteProjects.has(name))).toEqual([]);
});

test("every file of tests is run by a suite", () => {
  const ran = projects
    .filter(({ name }) => suiteProjects.has(name))
    .flatMap(({ include, exclude = [] }) => globSync([...include], { exclude: [...exclude] }));
  // This run itself may be a short one.
  const run = new Set([...ran, ...globSync([...fullRuns])]);
  // These have configurations of their own, or projects where their database is there.
  const elsewhere = [
    "test/e2e/contract-grpc.test.ts",
    "test/faults/{cluster,mysql}.test.ts",
    "test/outsiders/**",
    "test/vitess/**",
  ];
  const files = globSync("test/**/*.test.ts", { exclude: elsewhere });
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => !run.has(file))).toEqual([]);
});

const status = (program: string, ...args: string[]) => {
  const { error, status: code } = spawnSync(program, args);
  return error !== undefined && "code" in error ? error.code : code;
};

test("npm test finds Debian's base, Node, npm and what npm ci brings, and no other program", () => {
  expect(["bash", "tar", "node", "npm", "buf", "tsc"].filter((name) => status(name, "--version") !== 0)).toEqual([]);
  // A test that reads vitest.config.ts in this worker adds the folder of the server again.
  expect(new Set(process.env.PATH?.split(delimiter)).size).toBe(3);
  const others = ["Rscript", "python3", "openssl", "git", "curl", "jq", "haproxy", "qpdf"];
  expect(others.map((name) => status(name, "--version"))).toEqual(others.map(() => "ENOENT"));
});
