// Migrations are known by their names for ever, and spoken of by their numbers.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { migrations } from "../../src/database/migrations/all.ts";

const names = migrations.map(({ name }) => name);

test("migrations are numbered one after the other", () => {
  names.forEach((name, index) => {
    expect(name).toMatch(/^\d{4}-[a-z0-9-]+$/);
    expect(Number(name.slice(0, 4))).toBe(index + 1);
  });
});

test("each file of a migration is applied, under its own name", () => {
  const files = readdirSync("src/database/migrations").filter((file) => /^\d/.test(file));
  expect(files.toSorted()).toEqual(names.map((name) => `${name}.ts`));
});

/** The tables that the vschema of a keyspace names. */
function tablesOf(keyspace: string): ReadonlySet<string> {
  return new Set(Object.keys(JSON.parse(readFileSync(`deploy/vitess/${keyspace}/vschema.json`, "utf8")).tables));
}

test.each([
  ["assess", migrations.flatMap(({ steps }) => steps)],
  ["global", migrations.flatMap(({ globalSteps = [] }) => globalSteps)],
])("each step on a table of the keyspace %s is among those that a vtgate runs there", (keyspace, steps) => {
  const tables = tablesOf(keyspace);
  for (const step of steps) {
    const [, table = ""] = /^(?:CREATE TABLE IF NOT EXISTS|INSERT IGNORE INTO|ALTER TABLE) (\w+)/.exec(step) ?? [];
    expect(tables).toContain(table);
  }
});
