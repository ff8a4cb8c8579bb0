// Writes messages as JSON of REST.
import { type DescEnum, type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { isTime, listMembers, type Member, toEnumWord } from "./members.ts";

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
