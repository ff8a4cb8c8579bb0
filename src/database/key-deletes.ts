// Removing many rows in a form that a sharded database takes: it looks for their keys, and removes by key.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { repeatable } from "./connection.ts";
import { executeText, fetchRows, type SqlValue, type Statement } from "./statement.ts";

/** How rows are found that are to be removed. */
export interface KeyDelete {
  /** Finds a bounded number of rows. */
  readonly find: Statement;
  /** Removes rows by `IN (?)`, lists of what was found. */
  readonly remove: string;
  /** The lists of rows that were found. */
  readonly listsOf: (rows: readonly RowDataPacket[]) => readonly unknown[][];
}

/** Deletes the rows that the query finds. @returns how many it found. Throws `unavailable` (see `asRefusal`). */
export async function deleteByKeys(
  db: Knex,
  { find, remove, listsOf }: KeyDelete,
  values: Readonly<Record<string, SqlValue>>,
  signal: AbortSignal,
): Promise<number> {
  const rows = await fetchRows(db, find, values, signal);
  if (rows.length === 0) return 0;
  await repeatable(db, signal, (connection) => executeText(connection, remove, listsOf(rows)));
  return rows.length;
}
