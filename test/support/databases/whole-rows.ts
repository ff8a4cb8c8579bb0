// Every row of every table, and what becomes of them: a test that compares these leaves no column out.
import type { Connection, RowDataPacket } from "mysql2/promise";
import { uuidToBytes } from "../../../src/kernel/ids.ts";
import { tablesOf } from "./dump.ts";

export type Row = Readonly<Record<string, unknown>>;

/** The rows of each table, by their primary key. */
export type WholeRows = ReadonlyMap<string, ReadonlyMap<string, Row>>;

/** What became of the rows of a table. */
export interface RowChanges {
  /** How many are no longer there. */
  readonly gone?: number;
  /** Those that are new, whole. */
  readonly added?: readonly Row[];
  /** Of those that are others than before, the columns that are, as they are now. */
  readonly changed?: readonly Row[];
}

/** All rows of the connection's schema, as they are now. */
export async function wholeRowsOf(connection: Connection): Promise<WholeRows> {
  const tables = await tablesOf(connection);
  const [keys] = await connection.query<RowDataPacket[]>(
    `SELECT table_name AS name, column_name AS part FROM information_schema.key_column_usage
      WHERE table_schema = DATABASE() AND constraint_name = 'PRIMARY' ORDER BY table_name, ordinal_position`,
  );
  const rowsByTable = new Map<string, Map<string, Row>>();
  for (const table of tables) {
    const parts = keys.filter(({ name }) => name === table).map(({ part }) => String(part));
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT * FROM ${table}`);
    rowsByTable.set(table, new Map(rows.map((row) => [JSON.stringify(parts.map((part) => row[part])), { ...row }])));
  }
  return rowsByTable;
}

/** What became of the rows, by table; a table in which nothing has changed is left out. */
export function changesBetween(before: WholeRows, after: WholeRows): Readonly<Record<string, RowChanges>> {
  const changes = [...after].map(([table, rows]) => [table, changesOf(before.get(table) ?? new Map(), rows)] as const);
  return Object.fromEntries(changes.filter(([, change]) => Object.keys(change).length > 0));
}

/** Does something, and tells what became of all rows. */
export async function changesBy(connection: Connection, act: () => Promise<unknown>) {
  const before = await wholeRowsOf(connection);
  await act();
  return changesBetween(before, await wholeRowsOf(connection));
}

/** Where a text, or bytes, are: each column of a table in which some row has them, be it within a longer value. */
function placesOf(trace: string | Buffer, rows: WholeRows): string[] {
  const places = [...rows].flatMap(([table, rowsByKey]) =>
    [...rowsByKey.values()].flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) => (bytesOf(value).includes(trace) ? [`${table}.${column}`] : [])),
    ),
  );
  return [...new Set(places)].toSorted();
}

/** The same of an id, which the database keeps as bytes. */
export function placesOfId(uuid: string, rows: WholeRows): string[] {
  return [...new Set([...placesOf(uuidToBytes(uuid), rows), ...placesOf(uuid, rows)])].toSorted();
}

function changesOf(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): RowChanges {
  const gone = [...before.keys()].filter((key) => !after.has(key)).length;
  const added = [...after].filter(([key]) => !before.has(key)).map(([, row]) => row);
  const changed = [...after].flatMap(([key, row]) => {
    const earlier = before.get(key);
    const columns =
      earlier === undefined ? [] : Object.entries(row).filter(([name, now]) => !isSame(earlier[name], now));
    return columns.length > 0 ? [Object.fromEntries(columns)] : [];
  });
  return { ...(gone > 0 && { gone }), ...(added.length > 0 && { added }), ...(changed.length > 0 && { changed }) };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function bytesOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.from(String(value));
}
