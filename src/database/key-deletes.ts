// Deletes many rows in a way that a sharded database supports: selects their keys, then deletes by key.
import type { Knex } from "knex";
import type { RowDataPacket } from "mysql2";
import { repeatable } from "./connection.ts";
import { executeText, fetchRows, type Statement } from "./statement.ts";

/** How rows to delete are found and deleted. */
export interface KeyDelete {
  /** Selects a bounded number of rows. */
  readonly find: Statement;
  /** Deletes rows by `IN (?)`, with lists of the selected keys. */
  readonly remove: string;
  /** The lists of keys in the selected rows. */
  readonly listsOf: (rows: readonly RowDataPacket[]) => readonly unknown[][];
}

/** Deletes the rows that the query finds. @returns how many it found. Throws `unavailable` (see `asRefusal`). */
export async function deleteByKeys(
  db: Knex,
  { find, remove, listsOf }: KeyDelete,
  values: object,
  signal: AbortSignal,
): Promise<number> {
  const rows = await fetchRows(db, find, values, signal);
  if (rows.length === 0) return 0;
  await repeatable(db, signal, (connection) => executeText(connection, remove, listsOf(rows)));
  return rows.length;
}
