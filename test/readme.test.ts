// What pages list by hand is what there is; what code writes is held to it by docs.test.ts.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every dependency is named with its reason", () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const part = readFileSync("docs/dependencies.md", "utf8");
  const isNamed = (name: string) =>
    part.includes(`\`${name}\``) || part.includes(`\`${name.replace("@connectrpc/connect", "")}\``);
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
});

test("every command of the help is in docs/command-line.md", async () => {
  const { commandNames } = await import("../src/cli/commands.ts");
  const page = readFileSync("docs/command-line.md", "utf8");
  for (const name of commandNames) expect(page).toContain(`pas ${name}`);
});
