// Statements, written once in Knex's syntax, and domain values as the driver takes them.
import createKnex from "knex";
import type { RowDataPacket } from "mysql2";
import { uuidToBytes } from "../kernel/ids.ts";

/** A value as the driver takes it. A list is expanded for `IN (…)`, a list of lists for `VALUES …`. */
export type SqlValue = string | number | Buffer | Date | null | readonly SqlValue[];

interface Placeholder {
  readonly name: string;
  /** Whether its texts are UUIDs, which are sent as their 16 bytes. */
  readonly isUuid: boolean;
}

/** A statement with placeholders, in the order of its markers. */
export interface Statement<T = RowDataPacket> {
  readonly sql: string;
  readonly placeholders: readonly Placeholder[];
  /** Verb and first table, such as `SELECT sessions`; the verb alone if it names no table. */
  readonly summary: string;
  /** The object of a row that it finds; by default the row itself. */
  readonly fromRow: (row: RowDataPacket) => T;
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
  return { sql: native.sql, placeholders, summary: summarizeSql(native.sql), fromRow: (row) => row };
}

function summarizeSql(text: string): string {
  const [, verb = "other"] = /^[\s(]*(\w+)/.exec(text) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE)\s+`?(\w+)/i.exec(text) ?? [];
  return table === undefined ? verb.toUpperCase() : `${verb.toUpperCase()} ${table}`;
}

/** Columns with the alias of their table: `id, mode` of `s` are `s.id, s.mode`. */
export function qualifyColumns(table: string, columns: string): string {
  return columns.replaceAll(/\w+/g, `${table}.$&`);
}

/** The values of the placeholders, as they are sent. */
export function toBindings(placeholders: readonly Placeholder[], values: object): SqlValue[] {
  return placeholders.map((each) => toSqlValue(each, (values as Readonly<Record<string, unknown>>)[each.name]));
}

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
