// The shape that a message has as a model, so that nobody writes it out again.

/**
 * A message as a model: what is absent is null.
 * @template Own types of members that the proto says with less, such as words of an enum, by message and member
 * @template Absent names of members that are messages and may be absent, by message: generated types do not tell them from
 *   those that are always there
 */
export type Told<M, Own = object, Absent = object> = M extends { readonly $typeName: infer Name }
  ? {
      readonly [K in Exclude<keyof M, "$typeName" | "$unknown">]-?: K extends keyof OwnOf<Own, Name>
        ? OwnOf<Own, Name>[K]
        : ToldMember<M[K], K extends AbsentOf<Absent, Name> ? null : never, Own, Absent>;
    }
  : M;

type OwnOf<Own, Name> = Name extends keyof Own ? Own[Name] : object;
type AbsentOf<Absent, Name> = Name extends keyof Absent ? Absent[Name] : never;

type ToldMember<T, Null, Own, Absent> = [T] extends [readonly (infer Item)[]]
  ? readonly Told<Item, Own, Absent>[]
  :
      | Told<NonNullable<T>, Own, Absent>
      | Null
      | (undefined extends T ? (NonNullable<T> extends object ? never : null) : never);
