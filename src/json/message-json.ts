// Writes messages as JSON of REST, with a function for each message type, made once from its descriptor.
import { type DescEnum, type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { enumWord, isTime, listMembers, type Member } from "./members.ts";

/** A JSON object. Members that are undefined are absent: `JSON.stringify` omits them. */
export type JsonObject = Record<string, unknown>;

/** Makes the JSON of a message. */
export type ToJson<M extends DescMessage> = (message: MessageShape<M>) => JsonObject;

type Write = (value: unknown) => unknown;

/** Values that the writers of nested messages share. */
interface WriterContext {
  readonly int64: Write;
  readonly writers: Map<DescMessage, Writer>;
}

/** RFC 3339 in UTC with milliseconds. */
export function dateTime(timestamp: Timestamp): string {
  return timestampDate(timestamp).toISOString();
}

/** The writer of a message without a oneof. @param int64 how integers of 64 bits are written */
export function toJson<M extends DescMessage>(message: M, int64: Write = String): ToJson<M> {
  return objectWriter(message, { int64, writers: new Map() });
}

function objectWriter(message: DescMessage, context: WriterContext): Writer {
  const cachedWriter = context.writers.get(message);
  if (cachedWriter !== undefined) return cachedWriter;
  const write: Writer = (value) => {
    const json: JsonObject = {};
    for (const member of members) member(value as Readonly<Record<string, unknown>>, json);
    return json;
  };
  // Set before the members are visited: a message may contain its own type.
  context.writers.set(message, write);
  const members = listMembers(message).map((member) => memberWriter(member, context));
  return write;
}

type Writer = (message: unknown) => JsonObject;

function memberWriter({ field, name, rule }: Member, context: WriterContext) {
  const { localName } = field;
  const none = rule.leftOut && !rule.nullIfEmpty ? undefined : null;
  const isEmpty = emptiness(field, rule.leftOut || rule.nullIfEmpty);
  const one = valueWriter(field, context);
  const write: Write = field.fieldKind === "list" ? (list) => (list as readonly unknown[]).map(one) : one;
  const { within } = rule;
  return (message: Readonly<Record<string, unknown>>, json: JsonObject): void => {
    const value = message[localName];
    const member = isEmpty(value) ? none : write(value);
    if (within === "") json[name] = member;
    else json[within] = { [name]: member };
  };
}

/** Whether a value is omitted. */
function emptiness(field: DescField, isByDefault: boolean): (value: unknown) => boolean {
  if (field.fieldKind === "list") return isByDefault ? (list) => (list as readonly unknown[]).length === 0 : never;
  if (field.message !== undefined || field.proto.proto3Optional) return (value) => value === undefined;
  return isByDefault ? (value) => !value : never;
}

function never(): boolean {
  return false;
}

function valueWriter(field: DescField, context: WriterContext): Write {
  if (isTime(field)) return (value) => dateTime(value as Timestamp);
  if (field.message !== undefined) return objectWriter(field.message, context);
  if (field.enum !== undefined) return wordWriter(field.enum);
  if (field.scalar === ScalarType.INT64) return context.int64;
  if (field.scalar === ScalarType.BYTES) throw new Error(`${field} holds bytes, which JSON does not know`);
  return (value) => value;
}

function wordWriter(schema: DescEnum): Write {
  const words = new Map(schema.values.map(({ number }) => [number, enumWord(schema, number)]));
  return (value) => words.get(value as number) ?? "unspecified";
}
