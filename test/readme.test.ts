// The tables of the README are what the code says.
import { readFileSync } from "node:fs";
import { Code } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { variables } from "../src/config.ts";
import { errorRows } from "../src/contract/error-table.ts";

const readme = readFileSync("README.md", "utf8");

function partBetween(name: string): string {
  return new RegExp(`<!-- ${name}:.*?-->\n(.*)<!-- /${name} -->`, "s").exec(readme)?.[1]?.trim() ?? "";
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function statusName(code: Code | undefined): string {
  return code === undefined ? "–" : `\`${Code[code].replace(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase()}\``;
}

test("the table of errors is that of the proto", () => {
  const rows = errorRows.map(({ code, httpStatus, grpcCode, when }) => [
    String(httpStatus ?? "–"),
    `\`${code}\``,
    statusName(grpcCode),
    when,
  ]);
  expect(partBetween("errors")).toBe(table(["HTTP", "Code", "gRPC", "When"], rows));
});

test("the table of the configuration is that of the code", () => {
  const rows = Object.entries(variables).map(([name, variable]) => [
    `\`${name}\``,
    variable.default ? `\`${variable.default}\`` : "–",
    variable.doc,
  ]);
  expect(partBetween("configuration")).toBe(table(["Variable", "Default", "Meaning"], rows));
});

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
