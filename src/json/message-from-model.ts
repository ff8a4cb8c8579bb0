// Converts rows and models to messages. All use the same names; only null, enum words, dates and 64-bit numbers differ.
import {
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { isTime, parseEnumWord } from "./members.ts";

/**
 * The model of a message: unset may be null, enums are words, times are dates. A message is its own model, which stays as it is;
 * so a spread of a message is none, unless all its members are those of a message.
 */
export type ModelOf<T> = T extends readonly (infer Item)[]
  ? readonly ModelOf<Item>[] | null
  : T extends Timestamp
    ? Date | Timestamp
    : T extends object
      ? T | (Members<Omit<T, keyof Message>> & { readonly [K in keyof Message]?: never })
      : T extends bigint
        ? bigint | number
        : T extends number
          ? number extends T
            ? number
            : T | string | null
          : T;

type Members<T> = { readonly [K in keyof T as undefined extends T[K] ? never : K]: ModelOf<T[K]> } & {
  readonly [K in keyof T as undefined extends T[K] ? K : never]?: ModelOf<NonNullable<T[K]>> | null | undefined;
};

type Make = (value: unknown) => unknown;

/**
 * Converts models to messages. Members that the message does not have are left out; a null list is empty, a null enum
 * unspecified.
 */
export function fromModel<M extends DescMessage>(message: M): (model: ModelOf<MessageShape<M>>) => MessageShape<M> {
  return createMaker(message, new Map()) as (model: ModelOf<MessageShape<M>>) => MessageShape<M>;
}

function createMaker(message: DescMessage, makers: Map<DescMessage, Make>): Make {
  const cachedMake = makers.get(message);
  if (cachedMake !== undefined) return cachedMake;
  const make: Make = (model) => {
    if ((model as Partial<Message>).$typeName === message.typeName) return model;
    // With its type name: otherwise the library would copy each nested message.
    const object: Record<string, unknown> = { $typeName: message.typeName };
    for (const { localName, none, one } of fields) {
      const value = (model as Readonly<Record<string, unknown>>)[localName];
      if (value === null || value === undefined) object[localName] = none();
      else object[localName] = Array.isArray(value) ? value.map(one) : one(value);
    }
    return object;
  };
  makers.set(message, make);
  const fields = message.members.map((member) => ({
    localName: member.localName,
    none: member.kind === "oneof" ? () => ({ case: undefined }) : createEmptyValue(member),
    one: member.kind === "oneof" ? createChoiceMaker(member, makers) : createValueMaker(member, makers),
  }));
  return make;
}

function createValueMaker(field: DescField, makers: Map<DescMessage, Make>): Make {
  const { enum: words, message } = field;
  if (isTime(field)) return (time) => (time instanceof Date ? timestampFromDate(time) : time);
  if (message !== undefined) return createMaker(message, makers);
  if (field.scalar === ScalarType.INT64) return (number) => BigInt(number as bigint | number);
  return words === undefined
    ? (value) => value
    : (word) => (typeof word === "string" ? parseEnumWord(words, word) : word);
}

function createChoiceMaker({ fields }: DescOneof, makers: Map<DescMessage, Make>): Make {
  const choices = new Map(fields.map((field) => [field.localName, createValueMaker(field, makers)]));
  return (choice) => {
    const { case: name, value } = choice as { readonly case: string; readonly value: unknown };
    return { case: name, value: choices.get(name)?.(value) };
  };
}

/** The value for null and undefined. Throws if the field must have one. */
function createEmptyValue(field: DescField): () => unknown {
  if (field.fieldKind === "list") return () => [];
  if (field.message !== undefined || field.proto.proto3Optional) return () => undefined;
  if (field.scalar === ScalarType.BOOL) return () => false;
  if (field.enum !== undefined) return () => 0;
  return () => {
    throw new Error(`${field} has no value`);
  };
}
