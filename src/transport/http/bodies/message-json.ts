// Messages as JSON where the interface and the proto name everything alike, so that no name is written down twice.
// For messages of numbers, texts, truth values, enums and further messages.
import {
  type DescEnum,
  type DescEnumValue,
  type DescField,
  type DescMessage,
  type Message,
  ScalarType,
} from "@bufbuild/protobuf";
import { type TSchema, Type } from "typebox";
import { nullable } from "./json-schema.ts";

type Fields = Readonly<Record<string, unknown>>;

const none: ReadonlySet<string> = new Set();

/**
 * A message as JSON: every field by its JSON name and in the order of the proto, null if it is absent, values of
 * enums in lower case without their prefix.
 * @param pairs JSON names of lists that are null if they are empty: numbers that come together or not at all
 */
export function messageToJson(
  schema: DescMessage,
  message: Message,
  pairs: ReadonlySet<string> = none,
): Record<string, unknown> {
  const fields = message as Message & Fields;
  return Object.fromEntries(
    schema.fields.map((field) => [field.jsonName, fieldToJson(field, fields[field.localName], pairs)]),
  );
}

/**
 * The schema of what `messageToJson` gives.
 * @param absent fields with a message that may be absent, by JSON name or by `Message.jsonName`; the proto does not tell
 *   them from others
 * @param pairs as for `messageToJson`
 */
export function messageJsonSchema(
  schema: DescMessage,
  absent: ReadonlySet<string>,
  pairs: ReadonlySet<string> = none,
): TSchema {
  const members = schema.fields.map((field): [string, TSchema] => {
    const one = valueSchema(field, absent, pairs);
    if (field.fieldKind === "list") {
      const list = Type.Array(one);
      return [field.jsonName, pairs.has(field.jsonName) ? nullable(list) : list];
    }
    const isAbsent = () => absent.has(field.jsonName) || absent.has(`${schema.name}.${field.jsonName}`);
    const isNullable = field.fieldKind === "message" ? isAbsent() : field.proto.proto3Optional;
    return [field.jsonName, isNullable ? nullable(one) : one];
  });
  return Type.Object(Object.fromEntries(members));
}

function fieldToJson(field: DescField, value: unknown, pairs: ReadonlySet<string>): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value) && value.length === 0 && pairs.has(field.jsonName)) return null;
  if (field.message !== undefined) {
    const { message } = field;
    return Array.isArray(value)
      ? value.map((each) => messageToJson(message, each, pairs))
      : messageToJson(message, value as Message, pairs);
  }
  const { enum: words } = field;
  if (words === undefined) return value;
  return Array.isArray(value) ? value.map((each) => enumWord(words, each)) : enumWord(words, value as number);
}

function valueSchema(field: DescField, absent: ReadonlySet<string>, pairs: ReadonlySet<string>): TSchema {
  if (field.message !== undefined) return messageJsonSchema(field.message, absent, pairs);
  if (field.enum !== undefined) return Type.Enum(enumWords(field.enum));
  switch (field.scalar) {
    case ScalarType.INT32:
      return Type.Integer();
    case ScalarType.DOUBLE:
      return Type.Number();
    case ScalarType.BOOL:
      return Type.Boolean();
    case ScalarType.STRING:
      return Type.String();
    default:
      throw new Error(`no JSON schema for the field ${field.name}`);
  }
}

/** The words of an enum in the interface: its values in lower case without their prefix, the unspecified one left out. */
export function enumWords(schema: DescEnum): string[] {
  return schema.values.slice(1).map(wordOf);
}

/** The word of one value. */
export function enumWord(schema: DescEnum, value: number): string {
  return wordOf(schema.value[value]);
}

/** The value of a word; 0, the unspecified one, for any other text. */
export function enumValue(schema: DescEnum, word: string): number {
  return schema.values.slice(1).find((value) => wordOf(value) === word)?.number ?? 0;
}

/** A value that a newer core knows and this gateway does not is as good as its unspecified one. */
function wordOf(value: DescEnumValue | undefined): string {
  return (value?.localName ?? "UNSPECIFIED").toLowerCase();
}
