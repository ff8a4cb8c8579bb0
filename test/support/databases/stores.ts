import type { Connection, RowDataPacket } from "mysql2/promise";
import { backgroundAcquireTimeoutMs, Database } from "../../../src/database/database.ts";
import { sql } from "../../../src/database/statement.ts";
import { type BatchSizes, batchSizes } from "../../../src/services/batch-sizes.ts";
import { createStores } from "../../../src/store/stores.ts";
import { signal } from "../deadline.ts";
import { createMigratedDatabase } from "./database.ts";

export type TestStores = Awaited<ReturnType<typeof openTestStores>>;

/** Stores over an empty schema, without any assessment. */
export async function openTestStores() {
  const { address, connection, openConnection, drop } = await createMigratedDatabase();
  const db = new Database({
    address,
    poolSize: 8,
    warn: () => undefined,
    acquireTimeoutMs: backgroundAcquireTimeoutMs,
  });
  return {
    ...createStores(db),
    db,
    clock: Date.now,
    batchSizes,
    /** What the clock of the database says. */
    async now(): Promise<Date> {
      const row = await db.findOne(sql`SELECT NOW(3) AS time`, {}, signal);
      return row?.time;
    },
    address,
    /** An administrator's connection to the schema, outside the pool. */
    connection,
    /** A further such connection, to be ended by the caller. */
    openConnection,
    async close() {
      await db.destroy();
      await drop();
    },
  };
}

/** The single number that a query gives. */
export async function countOf(connection: Connection, query: string, values: unknown[] = []): Promise<number> {
  const [rows] = await connection.query<RowDataPacket[]>({ sql: query, rowsAsArray: true }, values);
  return Number(rows[0]?.[0]);
}

/** All connections to the schema but the asking one, with what each of them is doing. */
export async function otherConnections(
  connection: Connection,
): Promise<{ id: number; command: string; statement: string; isRunning: boolean }[]> {
  const [[here]] = await connection.query<RowDataPacket[]>("SELECT DATABASE() AS name, CONNECTION_ID() AS id");
  const [rows] = await connection.query<RowDataPacket[]>("SHOW FULL PROCESSLIST");
  return rows
    .filter((row) => row.db === here?.name && row.Id !== here?.id)
    .map(({ Id: id, Command: command, Info }) => {
      // A statement that is being prepared is listed as well, and runs later.
      return { id, command, statement: String(Info ?? ""), isRunning: command === "Query" || command === "Execute" };
    });
}

/** The statements that other connections are running in the schema right now. */
export async function runningStatements(connection: Connection): Promise<string[]> {
  const connections = await otherConnections(connection);
  return connections.filter(({ isRunning }) => isRunning).map(({ statement }) => statement);
}

/** Batches of so many rows, for all work alike. */
export function batchesOf(size: number): BatchSizes {
  return Object.fromEntries(Object.keys(batchSizes).map((name) => [name, size])) as BatchSizes;
}
