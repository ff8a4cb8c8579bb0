// Commands on a database of one's own: what they refuse, and what they leave as it was.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { migrations } from "../../src/store/migrations/all.ts";
import { addCaller, startTestApp } from "../support/app.ts";
import { type Finished, pas, startPas } from "../support/command.ts";
import { createEmptyDatabase, type TestDatabase } from "../support/database.ts";
import { restDoor } from "../support/rest-door.ts";
import { countOf } from "../support/stores.ts";
import { bodyOf } from "./cases/case.ts";

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

test("a command on a schema that misses the last migration of a roll-out is refused, and works after it", async () => {
  const database = await newDatabase();
  expect(await run(database.url, "migrate")).toMatchObject({ code: 0 });
  const last = migrations.findLast(({ isAfterRollOut }) => isAfterRollOut !== true)?.name;
  await database.connection.query("DELETE FROM knex_migrations WHERE name = ?", [last]);
  expect(await run(database.url, "sessions", "rescore")).toMatchObject({ code: 1, stdout: "" });
  expect(JSON.parse((await run(database.url, "migrate")).stdout)).toMatchObject({ applied: [last] });
  expect((await run(database.url, "sessions", "rescore")).stdout).toBe('{"scored":0,"failed":0}\n');
});

describe("the log of events", () => {
  test("is printed one event a line, whole or of one partner, and followed as things happen", async () => {
    const app = await startTestApp({ EVENT_INTERVAL_MS: "20" });
    onTestFinished(() => app.stop());
    const { url } = app.database;
    const [one, other] = [await addCaller(app), await addCaller(app)];
    const door = restDoor(app.httpUrl);
    const first = bodyOf(await door.createSession({ token: one.token }, {})).sessionId;
    const second = bodyOf(await door.createSession({ token: other.token }, {})).sessionId;
    bodyOf(await door.listEvents({ token: other.token }, { wait: 5 }));
    const printed = async (...args: string[]) =>
      (await run(url, ...args)).stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
    const all = await printed("events", "list");
    expect(all.map(({ position, partnerId, data }) => [position, partnerId, data.sessionId])).toEqual([
      ["1", one.partnerId, first],
      ["2", other.partnerId, second],
    ]);
    expect(await printed("events", "list", "--partner", other.partnerId)).toEqual(all.slice(1));
    const tail = startPas(["events", "tail", "--partner", one.partnerId], { DATABASE_URL: url, DATA_DIR: folder });
    // It begins with what happens after it has begun.
    const creating = setInterval(() => void door.createSession({ token: one.token }, {}), 200);
    const [, followed] = await tail.wrote(/"sessionId":"([^"]+)"/);
    clearInterval(creating);
    expect(followed).not.toBe(first);
    tail.kill("SIGTERM");
    expect(await tail.ended).toBe(0);
  });

  test("goes on 2^32 numbers later after skip-ahead", async () => {
    const database = await newDatabase();
    await run(database.url, "migrate");
    expect((await run(database.url, "events", "skip-ahead")).stdout).toBe('{"position":"4294967296"}\n');
  });

  test("of a partner that is no UUID is a mistake", async () => {
    expect(await run("mysql://x@127.0.0.1:1/x", "events", "list", "--partner", "nobody")).toMatchObject({ code: 2 });
  });
});
