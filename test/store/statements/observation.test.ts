// Every statement and every wait for a connection is reported, also those that never end.

import { beforeEach, expect, onTestFinished, test } from "vitest";
import type { StoreObserver } from "../../../src/database/connection.ts";
import { Database } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/statement.ts";
import { createStores } from "../../../src/store/stores.ts";
import { createTestDatabase } from "../../support/databases/database.ts";
import { signal } from "../../support/deadline.ts";

interface TracedStatement {
  readonly summary: string;
  readonly sql: string;
  readonly failed: boolean;
}

let statements: TracedStatement[];
let waits: { readonly failed: boolean }[];
let open: number;
let onBegin: (sql: string) => void;
beforeEach(() => {
  [statements, waits, open, onBegin] = [[], [], 0, () => undefined];
});

const observer: StoreObserver = {
  beginWait() {
    open += 1;
    return (error) => {
      open -= 1;
      waits.push({ failed: error !== undefined });
    };
  },
  beginStatement(summary, text) {
    open += 1;
    onBegin(text);
    return (error) => {
      open -= 1;
      statements.push({ summary, sql: text, failed: error !== undefined });
    };
  },
};

async function openObserved() {
  const database = await createTestDatabase();
  const db = new Database({ address: database.address, poolSize: 1, warn: () => undefined, observer });
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
  });
  return db;
}

test("a statement is traced by verb and table, with placeholders for values, and so is the end of a transaction", async () => {
  const stores = createStores(await openObserved());
  await stores.identities.findToken(Buffer.alloc(32, 1), signal);
  await stores.deliveries.wakeEndpoints(1, signal);
  expect(statements.map(({ summary, failed }) => [summary, failed])).toEqual([
    ["SELECT access_tokens", false],
    ["SELECT webhook_endpoints", false],
    ["COMMIT", false],
  ]);
  expect(statements[0]?.sql).toContain("t.hash = ?");
  expect(waits).toEqual([{ failed: false }, { failed: false }]);
  expect(open).toBe(0);
});

test("a failed statement is traced as failed", async () => {
  const db = await openObserved();
  const failing = db.useConnection(signal, (connection) => connection.execute(sql`SELECT * FROM nowhere`, {}));
  await expect(failing).rejects.toThrow();
  expect(statements).toEqual([{ summary: "SELECT nowhere", sql: "SELECT * FROM nowhere", failed: true }]);
});

test("a statement that exceeds its time is traced, though the driver never ends it, as are those that waited behind it", async () => {
  const db = await openObserved();
  const sleep = sql`SELECT SLEEP(30)`;
  const deadline = new AbortController();
  const isBegun = new Promise<void>((resolve) => {
    onBegin = (text) => text === sleep.sql && resolve();
  });
  const slow = db.useConnection(deadline.signal, (connection) => connection.execute(sleep, {}));
  const behind = db.useConnection(signal, (connection) => connection.execute(sql`SELECT 1`, {}));
  await isBegun;
  deadline.abort();
  await expect(slow).rejects.toMatchObject({ code: "deadline_exceeded" });
  await behind;
  expect(statements.map(({ summary, failed }) => [summary, failed])).toEqual([
    ["SELECT", true],
    ["SELECT", false],
  ]);
  expect(waits).toEqual([{ failed: false }, { failed: false }]);
  expect(open).toBe(0);
});

test.each([
  ["select `id` from `sessions` where `id` = ?", "SELECT sessions"],
  ["  INSERT INTO hosted_links (hash) SELECT ?, id FROM sessions", "INSERT hosted_links"],
  ["UPDATE sessions FORCE INDEX (PRIMARY) SET a = ?", "UPDATE sessions"],
  ["delete from `access_tokens` where `hash` = ?", "DELETE access_tokens"],
  ["REPLACE INTO partner_brandings VALUES (?)", "REPLACE partner_brandings"],
  ["SELECT NOW(3) + INTERVAL ? SECOND AS at", "SELECT"],
])("%s is %s", (text, summary) => {
  expect(sql`${text}`.summary).toBe(summary);
});
