// Tables: the columns of statements, and the objects of rows, from the fields of what is stored.

import type { RowDataPacket } from "mysql2";
import { qualifyColumns, type Statement, sql } from "../database/statement.ts";
import type { Field, ObjectOf, StoredFields } from "../domain/stored-fields.ts";
import { toCamelCase, toSnakeCase } from "../kernel/formats.ts";

type Select<T> = (texts: TemplateStringsArray, ...parts: readonly (string | number)[]) => Statement<T>;

export interface Table<T> {
  /** `id, partner_id` */
  readonly columns: string;
  /** `:id, :partnerId` */
  readonly markers: string;
  /** `id = :id, partner_id = :partnerId` */
  readonly assignments: string;
  /** `id = VALUES(id), partner_id = VALUES(partner_id)` */
  readonly replacements: string;
  /** The object of a row with these columns. */
  fromRow(row: RowDataPacket): T;
  /** The object with a value for each marker. */
  toRow(object: T): object;
  /** The same values in the order of the columns, for an insert of several rows. */
  toList(object: T): unknown[];
  /** A query by what follows its columns, such as `FROM partners WHERE id = :id`. */
  readonly select: Select<T>;
  /** The same, where the table has an alias. */
  selectFrom(alias: string): Select<T>;
}

/** The objects of a table. */
export type Stored<S> = S extends Table<infer T> ? T : never;

type Values = Record<string, unknown>;

export function table<F extends StoredFields>(fields: F): Table<ObjectOf<F>> {
  type T = ObjectOf<F>;
  const entries = Object.entries<Field<unknown>>(fields);
  const columns = entries.flatMap(([member, field]) => (field.parts === undefined ? [toColumn(member, field)] : []));
  const parts = entries.flatMap(([member, field]) => (field.parts === undefined ? [] : [toParts(member, field.parts)]));
  const names = [...columns.map(({ name }) => name), ...parts.flatMap((part) => part.names)];
  const list = names.join(", ");
  const markers = names.map(toCamelCase);
  const writers = columns.filter(({ member, marker, write }) => write !== undefined || marker !== member);
  // All objects have one shape: a member that is added later would cost more to read.
  const empty: Values = Object.fromEntries(entries.map(([member]) => [member, null]));
  const fromRow = (row: RowDataPacket) => {
    const object = { ...empty };
    // Most members are copied, without a call.
    for (const { member, name, read } of columns) object[member] = convert(read, row[name]);
    for (const { member, read } of parts) object[member] = read(row);
    return object as T;
  };
  const select =
    (columnsText: string): Select<T> =>
    (texts, ...more) => ({ ...sql`SELECT ${columnsText} ${String.raw({ raw: texts }, ...more)}`, fromRow });
  const toRow = (object: T) => {
    const row: Values = { ...object };
    for (const { member, marker, write } of writers) row[marker] = convert(write, row[member]);
    for (const { member, write } of parts) Object.assign(row, write(row[member] as object | null));
    return row;
  };
  return {
    columns: list,
    markers: markers.map((marker) => `:${marker}`).join(", "),
    assignments: names.map((name, index) => `${name} = :${markers[index]}`).join(", "),
    replacements: names.map((name) => `${name} = VALUES(${name})`).join(", "),
    fromRow,
    toRow,
    toList(object) {
      const row = toRow(object);
      return markers.map((marker) => row[marker]);
    },
    select: select(list),
    selectFrom: (alias) => select(qualifyColumns(alias, list)),
  };
}

function toColumn(member: string, { column = toSnakeCase(member), read, write }: Field<unknown>) {
  return { member, name: column, marker: toCamelCase(column), read, write };
}

function toParts(member: string, fields: StoredFields) {
  const { columns, fromRow, toRow } = table(fields);
  const names = columns.split(", ");
  const none = Object.fromEntries(names.map((name) => [toCamelCase(name), null]));
  return {
    member,
    names,
    read: (row: RowDataPacket) => (names.some((name) => row[name] === null) ? null : fromRow(row)),
    write: (object: object | null) => (object === null ? none : toRow(object as Values)),
  };
}

function convert(conversion: ((value: never) => unknown) | undefined, value: unknown): unknown {
  return conversion === undefined || value === null ? value : conversion(value as never);
}

/** A statement that inserts an object: `toRow` has its values. */
export function insertInto(name: string, { columns, markers }: Pick<Table<unknown>, "columns" | "markers">): Statement {
  return sql`INSERT INTO ${name} (${columns}) VALUES (${markers})`;
}
