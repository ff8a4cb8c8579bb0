// JSON schemas, made with the type of the values that they describe. Made here, since a library for it took 5 MB of every
// process.

declare const described: unique symbol;

/** A JSON schema, as plain JSON. `T` is the type of the values that it describes. */
export interface JsonSchema<T = unknown> {
  /** At compile time only. */
  readonly [described]: T;
}

/** The type of the values that a schema describes. */
export type Static<S> = S extends JsonSchema<infer T> ? T : never;

/** A member of an object that may be missing. */
export interface OptionalMember<T = unknown> {
  readonly optional: JsonSchema<T>;
}

/** The members of an object by name. */
export type Members = Readonly<Record<string, JsonSchema | OptionalMember>>;

type ObjectOf<M extends Members> = {
  [N in keyof M as M[N] extends OptionalMember ? never : N]: Static<M[N]>;
} & {
  [N in keyof M as M[N] extends OptionalMember ? N : never]?: M[N] extends OptionalMember<infer T> ? T : never;
};

/** The schema of an object. */
export interface ObjectSchema<M extends Members> extends JsonSchema<ObjectOf<M>> {
  readonly properties: { readonly [N in keyof M]: M[N] extends OptionalMember ? JsonSchema : M[N] };
}

/** Further members of a schema, such as `description` and `maximum`. */
type Options = Readonly<Record<string, unknown>>;

/** The kinds of schemas that this service describes with. Options go behind what a kind itself says. */
export const Type = {
  String: (options?: Options) => Type.Unsafe<string>({ type: "string", ...options }),
  Integer: (options?: Options) => Type.Unsafe<number>({ type: "integer", ...options }),
  Number: (options?: Options) => Type.Unsafe<number>({ type: "number", ...options }),
  Boolean: (options?: Options) => Type.Unsafe<boolean>({ type: "boolean", ...options }),
  /** One number. */
  Literal: <const T extends number>(value: T, options?: Options) =>
    Type.Unsafe<T>({ type: "number", const: value, ...options }),
  /** One of some texts. */
  Enum: <const T extends readonly string[]>(values: T, options?: Options) =>
    Type.Unsafe<T[number]>({ enum: values, ...options }),
  Array: <T>(items: JsonSchema<T>, options?: Options) => Type.Unsafe<T[]>({ type: "array", items, ...options }),
  Object: <M extends Members>(members: M, options?: Options) => {
    const all = Object.entries(members);
    const required = all.filter(([, member]) => !("optional" in member)).map(([name]) => name);
    const properties = Object.fromEntries(
      all.map(([name, member]) => [name, "optional" in member ? member.optional : member]),
    );
    return {
      type: "object",
      ...(required.length === 0 ? {} : { required }),
      properties,
      ...options,
    } as unknown as ObjectSchema<M>;
  },
  Optional: <T>(optional: JsonSchema<T>): OptionalMember<T> => ({ optional }),
  /** Any schema. The caller says what it describes. */
  Unsafe: <T>(schema: object) => schema as JsonSchema<T>,
};
