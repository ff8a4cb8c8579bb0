// Prepared statements are a common good of all connections to a server: each connection keeps a bounded number.
import type { RowDataPacket } from "mysql2";
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../src/database/database.ts";
import { maxPreparedStatements } from "../../../src/database/database.ts";
import { listPendingMigrations } from "../../../src/database/migrate.ts";
import { sql } from "../../../src/database/statement.ts";
import { createStores } from "../../../src/store/stores.ts";
import { poolOfTest } from "../../support/databases/pool.ts";
import { newRows, storeCalls, storeRows } from "../../support/databases/store-calls.ts";
import { signal } from "../../support/deadline.ts";
import { storesOfFile } from "../../support/of-file.ts";

const database = await storesOfFile();

/** A pool of one connection. */
function openOne(): Database {
  return poolOfTest({ address: database.address, poolSize: 1 });
}

/** Statements that the connection has prepared and closed again. */
async function countsOf(db: Database): Promise<{ prepared: number; closed: number }> {
  const show = "SHOW SESSION STATUS WHERE variable_name IN ('Com_stmt_prepare', 'Com_stmt_close')";
  const [rows] = await db.useConnection(signal, ({ driver }) => driver.promise().query<RowDataPacket[]>(show));
  const counts = new Map<string, number>(rows.map((row) => [row.Variable_name, Number(row.Value)]));
  return { prepared: counts.get("Com_stmt_prepare") ?? 0, closed: counts.get("Com_stmt_close") ?? 0 };
}

test("a connection keeps all statements of the service, each prepared once", async () => {
  const db = openOne();
  const stores = createStores(db);
  const play = async () => {
    const rows = newRows();
    await database.connection.query("DELETE FROM signing_keys");
    await database.connection.query("DELETE FROM assessments");
    await storeRows(stores, rows);
    for (const { call } of storeCalls(stores, rows)) await call(signal);
    await listPendingMigrations(db, signal);
  };
  await play();
  const { prepared, closed } = await countsOf(db);
  expect(prepared).toBeGreaterThan(40);
  expect(prepared).toBeLessThanOrEqual(maxPreparedStatements);
  expect(closed).toBe(0);
  await play();
  expect(await countsOf(db)).toEqual({ prepared, closed });
});

test("a statement in constant use is prepared once, however many others are, and an evicted one is prepared again", async () => {
  const db = openOne();
  const count = 2 * maxPreparedStatements;
  await db.useConnection(signal, async (connection) => {
    const run = async (number: number) => {
      return ((await connection.execute(sql`SELECT ${number} AS number`, {})) as { number: number }[])[0]?.number;
    };
    for (let index = 0; index < count; index += 1) {
      expect(await run(index)).toBe(index);
      expect(await run(0)).toBe(0);
    }
    expect(await run(1)).toBe(1);
  });
  const { prepared, closed } = await countsOf(db);
  expect({ prepared, closed }).toEqual({ prepared: count + 1, closed: count + 1 - maxPreparedStatements });
});

test("a server that has no room for another prepared statement makes the call unavailable", async () => {
  const { connection, identities } = database;
  // The server's own limit is shared with everybody else on it, so its error comes from a trigger.
  await connection.query(
    `CREATE TRIGGER no_room BEFORE INSERT ON partners FOR EACH ROW
     SIGNAL SQLSTATE '42000' SET MYSQL_ERRNO = 1461, MESSAGE_TEXT = 'as with max_prepared_stmt_count'`,
  );
  onTestFinished(async () => {
    await connection.query("DROP TRIGGER no_room");
  });
  const partner = { ...newRows().partner };
  await expect(identities.insertPartner(partner, signal)).rejects.toMatchObject({ code: "unavailable" });
});
