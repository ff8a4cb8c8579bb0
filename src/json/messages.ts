// Messages: made of rows and models, and written as JSON of REST. Models have the names of messages; null, enum words, dates and
// 64-bit numbers differ.
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescOneof,
  type Message,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { type Timestamp, timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { isTime, listMembers, type Member, parseEnumWord, toEnumWord } from "./members.ts";

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

/**
 * A message as a model that code reads: absent members are null.
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

/** A JSON object. `JSON.stringify` omits undefined members. */
export type JsonObject = Record<string, unknown>;

/** Creates the JSON of a message. */
export type JsonWriter<M extends DescMessage> = (message: MessageShape<M>) => JsonObject;

type Write = (value: unknown) => unknown;

/** Shared by the writers of nested messages. */
interface WriterContext {
  readonly int64: Write;
  readonly writers: Map<DescMessage, Writer>;
}

/** RFC 3339 in UTC with milliseconds. */
export function formatTime(timestamp: Timestamp): string {
  return timestampDate(timestamp).toISOString();
}

/** Creates the writer of a message without a oneof. @param int64 writes integers of 64 bits */
export function createJsonWriter<M extends DescMessage>(message: M, int64: Write = String): JsonWriter<M> {
  return createObjectWriter(message, { int64, writers: new Map() });
}

function createObjectWriter(message: DescMessage, context: WriterContext): Writer {
  const cachedWriter = context.writers.get(message);
  if (cachedWriter !== undefined) return cachedWriter;
  const write: Writer = (value) => {
    const json: JsonObject = {};
    for (const member of members) member(value as Readonly<Record<string, unknown>>, json);
    return json;
  };
  // Set first: a message may contain its own type.
  context.writers.set(message, write);
  const members = listMembers(message).map((member) => createMemberWriter(member, context));
  return write;
}

type Writer = (message: unknown) => JsonObject;

function createMemberWriter({ field, name, rule }: Member, context: WriterContext) {
  const { localName } = field;
  const emptyValue = rule.leftOut && !rule.nullIfEmpty ? undefined : null;
  const isEmpty = createEmptyTest(field, rule.leftOut || rule.nullIfEmpty);
  const writeValue = createValueWriter(field, context);
  const write: Write = field.fieldKind === "list" ? (list) => (list as readonly unknown[]).map(writeValue) : writeValue;
  const { within: parent } = rule;
  return (message: Readonly<Record<string, unknown>>, json: JsonObject): void => {
    const value = message[localName];
    const member = isEmpty(value) ? emptyValue : write(value);
    if (parent === "") json[name] = member;
    else json[parent] = { [name]: member };
  };
}

/** Creates the test of values that are omitted. */
function createEmptyTest(field: DescField, isByDefault: boolean): (value: unknown) => boolean {
  if (field.fieldKind === "list") return isByDefault ? (list) => (list as unknown[]).length === 0 : returnFalse;
  if (field.message !== undefined || field.proto.proto3Optional) return (value) => value === undefined;
  return isByDefault ? (value) => !value : returnFalse;
}

function returnFalse(): boolean {
  return false;
}

function createValueWriter(field: DescField, context: WriterContext): Write {
  if (isTime(field)) return (value) => formatTime(value as Timestamp);
  if (field.message !== undefined) return createObjectWriter(field.message, context);
  if (field.enum !== undefined) return createWordWriter(field.enum);
  if (field.scalar === ScalarType.INT64) return context.int64;
  if (field.scalar === ScalarType.BYTES) throw new Error(`${field} holds bytes, which JSON does not know`);
  return (value) => value;
}

function createWordWriter(schema: DescEnum): Write {
  const words = new Map(schema.values.map(({ number }) => [number, toEnumWord(schema, number)]));
  return (value) => words.get(value as number) ?? "unspecified";
}
