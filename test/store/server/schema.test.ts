// What the schema itself guarantees, read from the server.

import type { RowDataPacket } from "mysql2";
import { expect, test } from "vitest";
import { idleTimeoutMs } from "../../../src/database/session-settings.ts";
import { sql } from "../../../src/database/statement.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";

const database = await storesOfFile();

/** The first column of what a query finds. */
async function namesOf(query: string): Promise<string[]> {
  const [rows] = await database.connection.query<RowDataPacket[]>({ sql: query, rowsAsArray: true });
  return rows.map((row) => String(row[0]));
}

const ownTables = "table_schema = DATABASE() AND table_name <> 'migrations'";

test("every table has a primary key, as group replication requires", async () => {
  const tables = await namesOf("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()");
  expect(tables).toContain("sessions");
  const keyed = await namesOf(
    `SELECT table_name FROM information_schema.table_constraints
     WHERE table_schema = DATABASE() AND constraint_type = 'PRIMARY KEY'`,
  );
  expect(keyed.toSorted()).toEqual(tables.toSorted());
});

test("every table is transactional", async () => {
  const engines = await namesOf(`SELECT DISTINCT engine FROM information_schema.tables WHERE ${ownTables}`);
  expect(engines).toEqual(["InnoDB"]);
});

test("no key of any table holds a column that a collation compares", async () => {
  const keyed = await namesOf(
    `SELECT DISTINCT CONCAT(c.table_name, '.', c.column_name)
     FROM information_schema.columns AS c
     JOIN information_schema.statistics AS s USING (table_schema, table_name, column_name)
     WHERE c.table_schema = DATABASE() AND c.collation_name IS NOT NULL`,
  );
  expect(keyed).toEqual([]);
});

test("every time has milliseconds", async () => {
  const coarse = await namesOf(
    `SELECT CONCAT(table_name, '.', column_name) FROM information_schema.columns
     WHERE ${ownTables} AND data_type IN ('datetime', 'timestamp', 'time') AND datetime_precision <> 3`,
  );
  expect(coarse).toEqual([]);
});

test("the server ends a connection of the pool after a minute without a statement, and the pool ends an idle one before", async () => {
  const read = sql`SELECT @@SESSION.wait_timeout AS seconds`;
  expect(await database.db.findOne(read, {}, signal)).toEqual({ seconds: 60 });
  expect(idleTimeoutMs).toBeLessThan(60_000);
});
