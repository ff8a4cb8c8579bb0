// Types of models that code reads, derived from messages. For models that become messages there is `ModelOf`.

/**
 * A message as a model: absent members are null.
 * @template Overrides types that are narrower than in the proto, such as words of an enum, by message and member
 * @template Absent names of messages that may be absent, by message: generated types do not distinguish them from others
 */
export type ShapeOf<M, Overrides = object, Absent = object> = M extends { readonly $typeName: infer Name }
  ? {
      readonly [K in Exclude<keyof M, "$typeName" | "$unknown">]-?: K extends keyof OverridesOf<Overrides, Name>
        ? OverridesOf<Overrides, Name>[K]
        : MemberShape<M[K], K extends AbsentOf<Absent, Name> ? null : never, Overrides, Absent>;
    }
  : M;

type OverridesOf<Overrides, Name> = Name extends keyof Overrides ? Overrides[Name] : object;
type AbsentOf<Absent, Name> = Name extends keyof Absent ? Absent[Name] : never;

type MemberShape<T, Null, Overrides, Absent> = [T] extends [readonly (infer Item)[]]
  ? readonly ShapeOf<Item, Overrides, Absent>[]
  :
      | ShapeOf<NonNullable<T>, Overrides, Absent>
      | Null
      | (undefined extends T ? (NonNullable<T> extends object ? never : null) : never);
