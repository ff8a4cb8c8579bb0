// What pages list by hand is what there is; what code writes is held to it by docs.test.ts.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { leavesOf, nameOf } from "../../src/cli/commands/about.ts";
import { createProgram } from "../../src/cli/program.ts";
import { readConfig } from "../../src/config.ts";

test("every dependency is named with its reason", () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const part = readFileSync("docs/dependencies.md", "utf8");
  const isNamed = (name: string) =>
    part.includes(`\`${name}\``) || part.includes(`\`${name.replace("@connectrpc/connect", "")}\``);
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
});

test("every command that a page names exists", () => {
  const openConfig = () => readConfig({});
  const program = createProgram({ openConfig, stdout: () => undefined, stderr: () => undefined }, {});
  const known = [...leavesOf(program), ...program.commands].map(nameOf);
  const named = globSync(["*.md", "docs/**/*.md"]).flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`pas ([a-z]+)(?: ([a-z]+))?/g)].map(([, first = "", second = ""]) => ({
      page,
      isThere: known.includes(`${first} ${second}`) || (known.includes(first) && !isGroup(first)),
      words: `${first} ${second}`.trim(),
    })),
  );
  function isGroup(name: string): boolean {
    return program.commands.some((command) => command.name() === name && command.commands.length > 0);
  }
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ isThere, words }) => !isThere && !isGroup(words))).toEqual([]);
});
