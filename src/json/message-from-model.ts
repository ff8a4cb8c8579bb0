// Converts rows and models to messages. Both have the same names; null, enum words, dates and 64-bit numbers differ.
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
 * The model of a message: unset members may be null, enums are words, times are dates. A message is accepted too, and stays as
 * it is: a copy of one with values of a model is refused.
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

type Convert = (value: unknown) => unknown;

/** Creates the converter of models. It drops members that the message lacks; null is an empty list or an unspecified enum. */
export function fromModel<M extends DescMessage>(message: M): (model: ModelOf<MessageShape<M>>) => MessageShape<M> {
  return createConverter(message, new Map()) as (model: ModelOf<MessageShape<M>>) => MessageShape<M>;
}

function createConverter(message: DescMessage, converters: Map<DescMessage, Convert>): Convert {
  const cachedConvert = converters.get(message);
  if (cachedConvert !== undefined) return cachedConvert;
  const convert: Convert = (model) => {
    if ((model as Partial<Message>).$typeName === message.typeName) return model;
    // With its type name: otherwise the library would copy each nested message.
    const object: Record<string, unknown> = { $typeName: message.typeName };
    for (const { localName, createEmpty, convertItem } of fields) {
      const value = (model as Readonly<Record<string, unknown>>)[localName];
      if (value === null || value === undefined) object[localName] = createEmpty();
      else object[localName] = Array.isArray(value) ? value.map(convertItem) : convertItem(value);
    }
    return object;
  };
  converters.set(message, convert);
  const fields = message.members.map((member) => ({
    localName: member.localName,
    createEmpty: member.kind === "oneof" ? () => ({ case: undefined }) : createEmptyValue(member),
    convertItem:
      member.kind === "oneof" ? createChoiceConverter(member, converters) : createValueConverter(member, converters),
  }));
  return convert;
}

function createValueConverter(field: DescField, converters: Map<DescMessage, Convert>): Convert {
  const { enum: words, message } = field;
  if (isTime(field)) return (time) => (time instanceof Date ? timestampFromDate(time) : time);
  if (message !== undefined) return createConverter(message, converters);
  if (field.scalar === ScalarType.INT64) return (number) => BigInt(number as bigint | number);
  return words === undefined
    ? (value) => value
    : (word) => (typeof word === "string" ? parseEnumWord(words, word) : word);
}

function createChoiceConverter({ fields }: DescOneof, converters: Map<DescMessage, Convert>): Convert {
  const choices = new Map(fields.map((field) => [field.localName, createValueConverter(field, converters)]));
  return (choice) => {
    const { case: name, value } = choice as { readonly case: string; readonly value: unknown };
    return { case: name, value: choices.get(name)?.(value) };
  };
}

/** The value for null and undefined. It throws if the field must have a value. */
function createEmptyValue(field: DescField): () => unknown {
  if (field.fieldKind === "list") return () => [];
  if (field.message !== undefined || field.proto.proto3Optional) return () => undefined;
  if (field.scalar === ScalarType.BOOL) return () => false;
  if (field.enum !== undefined) return () => 0;
  return () => {
    throw new Error(`${field} has no value`);
  };
}
