// The schema is brought up to date once, step by step, and each step can be run again.

import type { RowDataPacket } from "mysql2/promise";
import { beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../src/database/database.ts";
import { listPendingMigrations, migrate } from "../../../src/database/migrate.ts";
import { type Migration, migrations } from "../../../src/database/migrations/all.ts";
import { sql } from "../../../src/database/statement.ts";
import { createStores } from "../../../src/store/stores.ts";
import { someRecording } from "../../support/builders.ts";
import { createEmptyDatabase } from "../../support/databases/database.ts";
import { dump } from "../../support/databases/dump.ts";
import { poolOfTest } from "../../support/databases/pool.ts";
import type { TestDatabase } from "../../support/databases/servers/server.ts";
import { newRows, storeCalls, storeRows } from "../../support/databases/store-calls.ts";
import { storeSession } from "../../support/databases/stored-sessions.ts";
import { countOf, otherConnections, runningStatements } from "../../support/databases/stores.ts";
import { signal } from "../../support/deadline.ts";

const names = migrations.map(({ name }) => name);
const lockName = "partner-assessment-service.migrate";

let database: TestDatabase;
beforeEach(async () => {
  const created = await createEmptyDatabase();
  database = created;
  return () => created.drop();
});

/** A process that migrates: a pool of its own. */
function newProcess(): Database {
  return poolOfTest({ address: database.address, poolSize: 4 });
}

/** Whether a connection to this schema has the lock of the server; migrations of other schemas may have it. */
async function isLockHeld(): Promise<boolean> {
  const holder = await countOf(database.connection, "SELECT IS_USED_LOCK(?)", [lockName]);
  return (await otherConnections(database.connection)).some(({ id }) => id === holder);
}

async function tables(): Promise<string[]> {
  const [rows] = await database.connection.query<RowDataPacket[]>({ sql: "SHOW TABLES", rowsAsArray: true });
  return rows.map((row) => String(row[0]));
}

/** The statement that makes each table as it is. */
async function schema(): Promise<string[]> {
  return (await dump(database.connection)).filter((statement) => statement.startsWith("CREATE"));
}

test("a migration that several processes start at once is applied by one of them, and again changes nothing", async () => {
  const processes = [newProcess(), newProcess(), newProcess()] as const;
  expect(await listPendingMigrations(processes[0], signal)).toEqual(names);
  const applied = await Promise.all(processes.map((db) => migrate(db, signal)));
  expect(applied.flat()).toEqual(names);
  expect(await migrate(processes[0], signal)).toEqual([]);
  expect(await listPendingMigrations(processes[0], signal)).toEqual([]);
});

test("a migration of an older release leaves a newer one's alone, and finds nothing missing", async () => {
  const db = newProcess();
  await migrate(db, signal);
  await database.connection.query("INSERT INTO migrations (name) VALUES ('9999-of-the-future')");
  expect(await migrate(db, signal, migrations.slice(0, 1))).toEqual([]);
  expect(await migrate(db, signal)).toEqual([]);
  expect(await listPendingMigrations(db, signal)).toEqual([]);
  const repaired = [...migrations, { name: "0002-repaired", steps: ["CREATE TABLE one (id INT PRIMARY KEY)"] }];
  expect(await migrate(db, signal, repaired)).toEqual(["0002-repaired"]);
});

test("an interrupted migration is repeated from its first step on", async () => {
  const db = newProcess();
  const [good, bad] = ["CREATE TABLE IF NOT EXISTS one (id INT PRIMARY KEY)", "CREATE TABLE two (nonsense)"];
  const broken = [{ name: "0001-x", steps: [good, bad] }];
  await expect(migrate(db, signal, broken)).rejects.toThrow();
  expect(await tables()).toContain("one");
  const mended = [{ name: "0001-x", steps: [good, "CREATE TABLE two (id INT PRIMARY KEY)"] }];
  expect(await migrate(db, signal, mended)).toEqual(["0001-x"]);
  expect(await tables()).toContain("two");
});

test.each([
  ["is done", migrations],
  ["has failed", [{ name: "0001-x", steps: ["CREATE TABLE nonsense"] }]],
])("the lock is free when the migration %s, though its process lives on", async (_, list) => {
  const db = newProcess();
  await migrate(db, signal, list).catch(() => undefined);
  await db.findAll(sql`SELECT 1`, {}, signal);
  expect(await otherConnections(database.connection)).not.toEqual([]);
  expect(await isLockHeld()).toBe(false);
});

test("a migration that loses its lock and connection in a long step stops before the next step", async () => {
  const steps = ["CREATE TABLE one (id INT PRIMARY KEY)", "DO SLEEP(30)", "CREATE TABLE two (id INT PRIMARY KEY)"];
  const migrating = migrate(newProcess(), signal, [{ name: "0001-x", steps }]).catch((error) => error);
  await expect.poll(() => runningStatements(database.connection)).toContain("DO SLEEP(30)");
  await database.connection.query(`KILL ${await countOf(database.connection, "SELECT IS_USED_LOCK(?)", [lockName])}`);
  // A step on another connection than that of the lock would go on to the next one.
  const sleeping = (await otherConnections(database.connection)).find(({ statement }) => statement.includes("SLEEP"));
  if (sleeping !== undefined) await database.connection.query(`KILL QUERY ${sleeping.id}`).catch(() => undefined);
  expect(await migrating).toBeInstanceOf(Error);
  expect(await tables()).not.toContain("two");
  expect(await countOf(database.connection, "SELECT COUNT(*) FROM migrations")).toBe(0);
  await expect.poll(isLockHeld).toBe(false);
});

test("a migration that loses its lock but not its connection is to be repeated", async () => {
  const steps = ["CREATE TABLE IF NOT EXISTS one (id INT PRIMARY KEY)", `SELECT RELEASE_LOCK('${lockName}')`];
  const list = [{ name: "0001-x", steps }];
  await expect(migrate(newProcess(), signal, list)).rejects.toThrow("the lock was lost during 0001-x");
  const mended = [{ name: "0001-x", steps: steps.slice(0, 1) }];
  expect(await migrate(newProcess(), signal, mended)).toEqual(["0001-x"]);
});

describe("a migration of a table in use", () => {
  const list: Migration[] = [
    { name: "0001-x", steps: ["CREATE TABLE one (id INT PRIMARY KEY)"] },
    { name: "0002-x", steps: ["ALTER TABLE one ADD COLUMN more INT, ALGORITHM=INSTANT"] },
  ];

  test("a step gives up soon, lets waiting statements pass, and is tried again until the transaction ends", async () => {
    const db = newProcess();
    await migrate(db, signal, list.slice(0, 1));
    await database.connection.beginTransaction();
    await database.connection.query("SELECT * FROM one");
    const migrating = migrate(db, signal, list);
    await expect.poll(() => runningStatements(database.connection)).toContain(list[1]?.steps[0]);
    // Whoever waits behind the step is served, though the transaction has not ended.
    await newProcess().findAll(sql`SELECT * FROM one`, {}, signal);
    await database.connection.commit();
    expect(await migrating).toEqual(["0002-x"]);
  });

  test("a step leaves the lock timeout of its connection as it was", async () => {
    const db = poolOfTest({ address: database.address, poolSize: 2 });
    const seconds = async () => (await db.findOne(sql`SELECT @@lock_wait_timeout AS seconds`, {}, signal))?.seconds;
    const before = await seconds();
    await migrate(db, signal, list);
    for (let count = 0; count < 3; count += 1) expect(await seconds()).toBe(before);
  });
});

/** What a next release could bring: made up, to show how it would come beside this one. */
const next: Migration = {
  name: "0002-made-up",
  steps: [
    "ALTER TABLE sessions ADD COLUMN mood TINYINT NULL, ADD COLUMN weather TINYINT NULL, ALGORITHM=INSTANT",
    "ALTER TABLE sessions ADD KEY sessions_mood (partner_id, mood), ALGORITHM=INPLACE, LOCK=NONE",
    "ALTER TABLE webhook_endpoints ALTER COLUMN failures SET DEFAULT 0, ALGORITHM=INSTANT",
    "ALTER TABLE sessions DROP KEY sessions_partner, ADD KEY sessions_partner (partner_id, id), ALGORITHM=INPLACE, LOCK=NONE",
    "ALTER TABLE sessions DROP COLUMN weather, ALGORITHM=INSTANT",
    "CREATE TABLE IF NOT EXISTS moods (id TINYINT NOT NULL PRIMARY KEY, name VARBINARY(63) NOT NULL)",
    "INSERT IGNORE INTO moods (id, name) VALUES (1, 'merry')",
  ],
};
const allSteps = [...migrations, next].flatMap(({ name, steps, globalSteps = [] }) =>
  [...steps, ...globalSteps].map((step, index) => ({ name: `${name} ${index}`, step })),
);

test("every step can be repeated: at once, and after all others", async () => {
  const db = newProcess();
  // Under another name nothing shows that a step was run.
  const run = (name: string, steps: readonly string[]) => migrate(db, signal, [{ name, steps }]);
  for (const { name, step } of allSteps) {
    await run(name, [step]);
    const before = await schema();
    await run(`${name} again`, [step]);
    expect(await schema()).toEqual(before);
  }
  const before = await schema();
  await run(
    "all again",
    allSteps.map(({ step }) => step),
  );
  expect(await schema()).toEqual(before);
  expect(await countOf(database.connection, "SELECT COUNT(*) FROM moods")).toBe(1);
});

test.each(allSteps)("$name lets writers go on, and says so", ({ step }) => {
  expect(step).not.toContain(";");
  if (/^(CREATE TABLE IF NOT EXISTS|INSERT IGNORE INTO) /.test(step)) return;
  expect(step).toMatch(/^ALTER TABLE \w+ .*(ALGORITHM=INSTANT|ALGORITHM=INPLACE, LOCK=NONE)$/s);
});

test("no write of a session fails while the next release migrates", async () => {
  const db = newProcess();
  await migrate(db, signal);
  const stores = createStores(newProcess());
  let written = 0;
  const migrating = { isOver: false };
  const write = async () => {
    while (!migrating.isOver) {
      const session = await storeSession(stores);
      expect(await stores.sessions.saveAnswers(session, 0, someRecording([1]), signal)).toBe(true);
      written += 1;
    }
  };
  const writers = Promise.all([write(), write()]);
  await expect.poll(() => written).toBeGreaterThan(10);
  expect(await migrate(newProcess(), signal, [...migrations, next])).toEqual([next.name]);
  migrating.isOver = true;
  await writers;
  expect(await countOf(database.connection, "SELECT COUNT(*) FROM sessions WHERE mood IS NULL")).toBe(written);
});

test("every statement of this release works on the schema of the next one, and nothing is reported missing", async () => {
  const db = newProcess();
  await migrate(db, signal);
  await migrate(newProcess(), signal, [...migrations, next]);
  const stores = createStores(db);
  const rows = newRows();
  await storeRows(stores, rows);
  for (const { call } of storeCalls(stores, rows)) await call(signal);
  expect(await listPendingMigrations(db, signal)).toEqual([]);
});
