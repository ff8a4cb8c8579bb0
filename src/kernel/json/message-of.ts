// Rows and models as messages: both name everything alike, so only what is absent and what is a word is said in another way.
import { type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { enumValue, isTime } from "./members.ts";

/** The model of a message: what may be absent may be null, values of enums are their words, times are dates. */
export type ModelOf<T> = T extends readonly (infer Item)[]
  ? readonly ModelOf<Item>[] | null
  : T extends Timestamp
    ? Date
    : T extends object
      ? {
          readonly [K in Exclude<keyof T, "$typeName" | "$unknown"> as undefined extends T[K] ? never : K]: ModelOf<
            T[K]
          >;
        } & {
          readonly [K in Exclude<keyof T, "$typeName" | "$unknown"> as undefined extends T[K] ? K : never]?:
            | ModelOf<NonNullable<T[K]>>
            | null
            | undefined;
        }
      : T extends number
        ? number | string
        : T;

type Make = (value: unknown) => unknown;

/** Makes messages of models. Members that the message has not are left out; a list that is null is empty. */
export function messageOf<M extends DescMessage>(message: M): (model: ModelOf<MessageShape<M>>) => MessageShape<M> {
  return maker(message, new Map()) as (model: ModelOf<MessageShape<M>>) => MessageShape<M>;
}

function maker(message: DescMessage, known: Map<DescMessage, Make>): Make {
  const found = known.get(message);
  if (found !== undefined) return found;
  const make: Make = (model) => {
    // Whole, with its type name: the library would make each nested message again.
    const made: Record<string, unknown> = { $typeName: message.typeName };
    for (const { localName, none, one } of fields) {
      const value = (model as Readonly<Record<string, unknown>>)[localName];
      if (value === null || value === undefined) made[localName] = none();
      else made[localName] = Array.isArray(value) ? value.map(one) : one(value);
    }
    return made;
  };
  known.set(message, make);
  const fields = message.fields.map((field) => ({
    localName: field.localName,
    none: noneOf(field),
    one: oneOf(field, known),
  }));
  return make;
}

function oneOf(field: DescField, known: Map<DescMessage, Make>): Make {
  const { enum: words, message } = field;
  if (isTime(field)) return (time) => timestampFromDate(time as Date);
  if (message !== undefined) return maker(message, known);
  return words === undefined ? (value) => value : (word) => (typeof word === "string" ? enumValue(words, word) : word);
}

/** What stands for null. Throws for a field that must have a value. */
function noneOf(field: DescField): () => unknown {
  if (field.fieldKind === "list") return () => [];
  if (field.message !== undefined || field.proto.proto3Optional) return () => undefined;
  if (field.scalar === ScalarType.BOOL) return () => false;
  return () => {
    throw new Error(`${field} has no value`);
  };
}
