// Statements, and domain values as columns. Statements are written once through Knex, then run as prepared
// statements on Knex's own connections.

import type { Knex } from "knex";
import createKnex from "knex";
import type { Connection, QueryError, ResultSetHeader, RowDataPacket } from "mysql2";
import { uuidToBytes } from "../kernel/ids.ts";
import { observe, runRepeatably, summarizeSql } from "./connection.ts";
import { hasCode } from "./database-errors.ts";

/** A value as the driver takes it. A list is expanded for `IN (…)`, a list of lists for `VALUES …`. */
type SqlValue = string | number | Buffer | Date | null | readonly SqlValue[];

interface Placeholder {
  readonly name: string;
  /** Whether its texts are UUIDs, which are sent as their 16 bytes. */
  readonly isUuid: boolean;
}

/** A statement with placeholders, in the order of its markers. */
export interface Statement {
  readonly sql: string;
  readonly placeholders: readonly Placeholder[];
  /** Verb and first table; by default found in the SQL. */
  readonly summary?: string;
}

const uuidName = /^(ids?|after|before|writer|(?!external).*Ids?)$/;

/** Builds statements; it has no connections. */
const builder = createKnex({ client: "mysql2" });

/**
 * A statement in Knex's syntax, with named placeholders: `WHERE partner_id = :partnerId`.
 * @param parts of the SQL itself, such as a list of columns: never a value
 */
export function sql(texts: TemplateStringsArray, ...parts: readonly (string | number)[]): Statement {
  const text = String.raw({ raw: texts }, ...parts);
  const markers = Object.fromEntries([...text.matchAll(/:([a-z]\w*)/gi)].map(([marker, name]) => [name, marker]));
  const native = builder.raw(text, markers).toSQL().toNative();
  const names = native.bindings.map((marker) => String(marker).slice(1));
  const placeholders = names.map((name) => ({ name, isUuid: uuidName.test(name) }));
  return { sql: native.sql, placeholders, summary: summarizeSql(native.sql) };
}

/** Columns with the alias of their table: `id, mode` of `s` are `s.id, s.mode`. */
export function qualifyColumns(table: string, columns: string): string {
  return columns.replaceAll(/\w+/g, `${table}.$&`);
}

/** The rows that a query finds. Throws `unavailable` (see `toRefusalIfUnavailable`). */
export function fetchRows(db: Knex, statement: Statement, values: object, signal: AbortSignal) {
  return runRepeatably(db, signal, (connection) => readRows(connection, statement, values));
}

/** The first row that a query finds. Throws `unavailable` (see `toRefusalIfUnavailable`). */
export async function fetchRow(db: Knex, statement: Statement, values: object, signal: AbortSignal) {
  const [row] = await fetchRows(db, statement, values, signal);
  return row;
}

/**
 * The number of rows that a write matched. It may run twice, so it has to be safe to repeat: an update that names the
 * revision it was computed from or sets the same values again, or an insert whose key shows that it already happened.
 * Throws `unavailable` (see `toRefusalIfUnavailable`).
 */
export async function write(db: Knex, statement: Statement, values: object, signal: AbortSignal): Promise<number> {
  const result = await runRepeatably(db, signal, (connection) => execute(connection, statement, values));
  return (result as ResultSetHeader | undefined)?.affectedRows ?? 0;
}

/** Whether a write, which may run twice as above, matched its row. */
export async function writeOne(db: Knex, statement: Statement, values: object, signal: AbortSignal): Promise<boolean> {
  return (await write(db, statement, values, signal)) === 1;
}

/** Inserts a row. False: its key exists, from another row or from an earlier try. Throws `unavailable` (see `toRefusalIfUnavailable`). */
export function insertIfAbsent(db: Knex, statement: Statement, values: object, signal: AbortSignal): Promise<boolean> {
  return isInserted(write(db, statement, values, signal));
}

/** Inserts a row in a transaction. False: the key exists, and nothing was inserted. */
export function insertIfAbsentIn(connection: Connection, statement: Statement, values: object): Promise<boolean> {
  return isInserted(execute(connection, statement, values));
}

async function isInserted(inserting: Promise<unknown>): Promise<boolean> {
  try {
    await inserting;
    return true;
  } catch (error) {
    if (hasCode(error, "ER_DUP_ENTRY")) return false;
    throw error;
  }
}

/** Deletes the oldest rows that the query lists, the newest first, so that `most` stay. @param values of the row that stays */
export async function keepNewest(
  connection: Connection,
  { list, remove }: { readonly list: Statement; readonly remove: Statement },
  values: { readonly hash: Uint8Array },
  most: number,
): Promise<void> {
  const older = (await readRows(connection, list, values)).filter(({ hash }) => !hash.equals(values.hash));
  for (const { hash } of older.slice(most - 1)) await execute(connection, remove, { ...values, hash });
}

/**
 * Runs a statement on a connection that the caller holds: prepared, unless it has lists, since each length would be another
 * prepared statement. With an empty list nothing is sent: it names no rows.
 */
export function execute(connection: Connection, statement: Statement, values: object): Promise<unknown> {
  const bindings = toBindings(statement, values);
  if (bindings.some((value) => Array.isArray(value) && value.length === 0)) return Promise.resolve(undefined);
  return send(connection, statement, bindings, !bindings.some(Array.isArray));
}

function toBindings({ placeholders }: Statement, values: object): SqlValue[] {
  return placeholders.map((each) => toSqlValue(each, (values as Readonly<Record<string, unknown>>)[each.name]));
}

function send(
  connection: Connection,
  { sql: text, summary = summarizeSql(text) }: Statement,
  bindings: readonly SqlValue[],
  isPrepared: boolean,
): Promise<unknown> {
  const run = () =>
    new Promise((resolve, reject) => {
      const settle = (error: QueryError | null, result: unknown) => (error === null ? resolve(result) : reject(error));
      if (isPrepared && !isOfVitess(connection)) connection.execute(text, bindings as never[], settle);
      else connection.query(text, bindings as never[], settle);
    });
  return observe(connection, summary, run, text);
}

/** A value as it is sent. */
function toSqlValue(placeholder: Placeholder, value: unknown): SqlValue {
  if (value === undefined) throw new Error(`no value for :${placeholder.name}`);
  if (Array.isArray(value)) return value.map((each) => toSqlValue(placeholder, each));
  if (typeof value === "string") {
    if (!placeholder.isUuid) return value;
    const bytes = uuidToBytes(value);
    if (bytes.length !== 16) throw new Error(`the text of :${placeholder.name} is not a UUID`);
    return bytes;
  }
  if (typeof value === "boolean") return Number(value);
  // The driver would send any other view as text.
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : (value as SqlValue);
}

/**
 * Whether the connection is to the keyspaces of a vtgate, `@primary`, or to one shard, such as `assess:-40`. The driver sends
 * numbers of prepared statements as doubles: vtgate takes none as the `LIMIT` of rows that it merges, and to prepare a
 * statement for a shard it runs it with NULL for every value. So statements are sent as text.
 */
function isOfVitess({ config }: Connection): boolean {
  return /[@:]/.test(config.database ?? "");
}

/** The rows that a query finds on a connection that the caller holds. */
export async function readRows(connection: Connection, statement: Statement, values: object): Promise<RowDataPacket[]> {
  return ((await execute(connection, statement, values)) ?? []) as RowDataPacket[];
}

/**
 * The rows that a query finds for each of the values, by one statement: as text, since each number of queries would be another
 * prepared statement.
 */
export async function readEach(connection: Connection, statement: Statement, values: readonly object[]) {
  if (values.length === 0) return [];
  const text = values.map(() => `(${statement.sql})`).join(" UNION ALL ");
  const bindings = values.flatMap((each) => toBindings(statement, each));
  return (await send(connection, { ...statement, sql: text }, bindings, false)) as RowDataPacket[];
}

/** How rows to delete are found and deleted. */
export interface KeyDelete {
  /** Selects a bounded number of rows. */
  readonly find: Statement;
  /** Deletes rows by lists of the selected keys. */
  readonly remove: Statement;
  /** The lists of keys in the selected rows. */
  readonly toKeyLists: (rows: readonly RowDataPacket[]) => Readonly<Record<string, readonly unknown[]>>;
}

/** Deletes the rows that the query finds. @returns how many it found. Throws `unavailable` (see `toRefusalIfUnavailable`). */
export async function deleteByKeys(
  db: Knex,
  { find, remove, toKeyLists }: KeyDelete,
  values: object,
  signal: AbortSignal,
): Promise<number> {
  const rows = await fetchRows(db, find, values, signal);
  if (rows.length === 0) return 0;
  await write(db, remove, toKeyLists(rows), signal);
  return rows.length;
}
