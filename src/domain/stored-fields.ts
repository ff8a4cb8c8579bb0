// Fields of what is stored: each declares its type, and how it is stored, once. The types of objects, and the columns and
// statements of the store, follow from them.
import { bytesToUuid, uuidToBytes } from "../kernel/ids.ts";

/** A field whose values are of a type. Null is stored as null. */
export interface Field<T> {
  /** By default the field's name in snake case. */
  readonly column?: string;
  /** Converts what the driver reads; by default that is the value. */
  read?(stored: never): T;
  /** Converts the value for a statement; by default it is stored as it is. */
  write?(value: never): unknown;
  /** The words that it can be, the default first. */
  readonly words?: readonly T[];
  /** The fields of a value that is an object: it is null if one of them is. */
  readonly parts?: StoredFields;
}

export type StoredFields = Readonly<Record<string, Field<unknown>>>;

/** An object with these fields. */
export type ObjectOf<F> = { readonly [M in keyof F]: F[M] extends Field<infer T> ? T : never };

export const uuid: Field<string> = { read: bytesToUuid, write: uuidToBytes };
/** A text that is stored as bytes, and compared byte for byte. */
export const byteText: Field<string> = { read: (bytes: Buffer) => bytes.toString() };
/** A word that is part of a key. */
export function byteWord<Word extends string>(): Field<Word> {
  return byteText as Field<Word>;
}

export const flag: Field<boolean> = { read: (value: number) => value === 1 };

/** Words without spaces. */
export const wordList: Field<readonly string[]> = {
  read: (text: string) => text.split(" ").filter((word) => word !== ""),
  write: (list: readonly string[]) => list.join(" "),
};

/** A value that is stored as it is: a number, a time, bytes, or a text in a character set. */
export function plain<T>(): Field<T> {
  return {};
}

export function oneOf<const Word extends string>(...words: readonly Word[]): Field<Word> {
  return { words };
}

export function nullable<T>(field: Field<T>): Field<T | null> {
  return field;
}

export function partsOf<F extends StoredFields>(parts: F): Field<ObjectOf<F> | null> {
  return { parts };
}

/** The same field in a column of another name. */
export function inColumn<T>(column: string, field: Field<T>): Field<T> {
  return { ...field, column };
}
