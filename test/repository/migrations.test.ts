// Migrations are known by their names for ever, and spoken of by their numbers.
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { migrations } from "../../src/database/migrations/all.ts";

const names = migrations.map(({ name }) => name);
const numberOf = (name: string) => name.slice(0, 4);

test("each migration has a number of its own, but for two that were applied somewhere before that was seen", () => {
  for (const name of names) expect(name).toMatch(/^\d{4}-[a-z0-9-]+$/);
  const double = names.filter((name) => names.filter((other) => numberOf(other) === numberOf(name)).length > 1);
  expect(double).toEqual(["0019-parts-of-sessions", "0019-one-index-of-persons"]);
});

test("each file of a migration is applied, under its own name", () => {
  const files = readdirSync("src/database/migrations").filter((file) => /^\d/.test(file));
  const withSteps = migrations.filter(({ steps }) => steps.length > 0).map(({ name }) => `${name}.ts`);
  // It has a single step, which stands in the list.
  expect(files).toEqual(withSteps.filter((file) => file !== "0023-audit-chains.ts").toSorted());
});
