// The kinds of schemas that the REST interface is described with.
import type { Static, TSchema } from "typebox";
import { Type } from "typebox";

/** Gives a schema a name, under which the OpenAPI document lists it. */
export function named<T extends TSchema>(name: string, schema: T): T {
  return { ...schema, $id: name };
}

/** A reference to a named schema. */
export function ref<T extends TSchema>(schema: T) {
  const { $id } = schema as { $id?: string };
  if ($id === undefined) throw new Error("only named schemas can be referred to");
  return Type.Unsafe<Static<T>>({ $ref: `${$id}#` });
}

/** A schema of the value or null. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: "null" }] });
}

/** One of some texts. */
export function oneOf<const T extends readonly string[]>(values: T, options: { description?: string } = {}) {
  return Type.Unsafe<T[number]>({ type: "string", enum: [...values], ...options });
}
