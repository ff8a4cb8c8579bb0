// Commands on a database of one's own: what they refuse, and what they leave as it was.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Finished, pas } from "../support/command.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";
import { countOf } from "../support/stores.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "pas-commands-test-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function newDatabase(): Promise<TestDatabase> {
  const database = await createEmptyDatabase();
  onTestFinished(() => database.drop());
  return database;
}

/** Runs a command on the database. */
function run(url: string, ...args: string[]): Promise<Finished> {
  return pas(args, { DATABASE_URL: url, DATA_DIR: folder });
}

const tables = ({ connection }: TestDatabase) =>
  countOf(connection, "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()");

test.each([
  ["partner", "create", "--name", "Acme"],
  ["assessment", "list"],
  ["keys", "rotate"],
  ["sessions", "rescore"],
])("pas %s %s on a schema that is behind is refused with the name of the command that mends it", async (...args) => {
  const database = await newDatabase();
  const refused = await run(database.url, ...args);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toBe("pas: the database schema is behind; bring it up to date with `pas migrate`\n");
  expect(await tables(database)).toBe(0);
});

test("a command on a schema that misses the last migration is refused, and works after it", async () => {
  const database = await newDatabase();
  const { applied } = JSON.parse((await run(database.url, "migrate")).stdout);
  const last = applied.at(-1);
  await database.connection.query("DELETE FROM knex_migrations WHERE name = ?", [last]);
  expect(await run(database.url, "sessions", "rescore")).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse((await run(database.url, "migrate")).stdout)).toMatchObject({ applied: [last] });
  expect((await run(database.url, "sessions", "rescore")).stdout).toBe('{"scored":0,"failed":0}\n');
});
