// What the README lists by hand is what there is; its tables are held to the code by docs.test.ts.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const readme = readFileSync("README.md", "utf8");

test("every dependency is named with its reason", () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const part = readme.slice(readme.indexOf("## Dependencies"));
  const isNamed = (name: string) =>
    part.includes(`\`${name}\``) || part.includes(`\`${name.replace("@connectrpc/connect", "")}\``);
  const names = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  expect(names.filter((name) => !isNamed(name))).toEqual([]);
});

test("every command of the help is in the README", async () => {
  const { commandNames } = await import("../src/cli/commands.ts");
  for (const name of commandNames) expect(readme).toContain(`pas ${name}`);
});
