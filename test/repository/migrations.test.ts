// Migrations are known by their names for ever, and spoken of by their numbers.
import { readdirSync } from "node:fs";
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
