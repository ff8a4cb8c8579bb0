// JSON Schemas (draft 2020-12) of the REST interface.

declare const allowed: unique symbol;

/** A schema; the type parameter is for the compiler only. */
export interface Schema<T = unknown> {
  readonly [allowed]?: T;
  readonly [keyword: string]: unknown;
}

/** The type of the values that a schema allows. */
export type Allowed<S> = S extends Schema<infer T> ? T : never;

/** Keywords for values of any type, and bounds. */
export interface Keywords {
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: boolean;
}

export function string(keywords: Keywords = {}): Schema<string> {
  return { type: "string", ...keywords };
}

export function number(keywords: Keywords = {}): Schema<number> {
  return { type: "number", ...keywords };
}

export function integer(keywords: Keywords = {}): Schema<number> {
  return { type: "integer", ...keywords };
}

export function boolean(keywords: Keywords = {}): Schema<boolean> {
  return { type: "boolean", ...keywords };
}

export function array<T>(items: Schema<T>, keywords: Keywords = {}): Schema<T[]> {
  return { type: "array", items, ...keywords };
}

/** An optional member of an object. */
class Optional<T> {
  readonly schema: Schema<T>;

  constructor(schema: Schema<T>) {
    this.schema = schema;
  }
}

/** Makes a member optional. */
export function optional<T>(schema: Schema<T>): Optional<T> {
  return new Optional(schema);
}

/** The members of an object. */
export type Members = Readonly<Record<string, Schema | Optional<unknown>>>;
type AllowedObject<M extends Members> = {
  [K in keyof M as M[K] extends Optional<unknown> ? never : K]: Allowed<M[K]>;
} & {
  [K in keyof M as M[K] extends Optional<unknown> ? K : never]?: M[K] extends Optional<infer T> ? T : never;
};

export function object<M extends Members>(members: M, keywords: Keywords = {}): Schema<AllowedObject<M>> {
  const entries = Object.entries(members);
  const required = entries.filter(([, member]) => !(member instanceof Optional)).map(([name]) => name);
  return {
    type: "object",
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      entries.map(([name, member]) => [name, member instanceof Optional ? member.schema : member]),
    ),
    ...keywords,
  };
}

/** Gives a schema a name, under which the OpenAPI document lists it. */
export function nameSchema<T>(name: string, schema: Schema<T>): Schema<T> {
  return { ...schema, $id: name };
}

/** A reference to a named schema. */
export function ref<T>({ $id }: Schema<T>): Schema<T> {
  if ($id === undefined) throw new Error("only named schemas can be referred to");
  return { $ref: `${$id}#` };
}
