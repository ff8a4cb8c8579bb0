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

/**
 * A message as JSON: every field by its JSON name and in the order of the proto, null where it is absent, values of
 * enums in lower case without their prefix.
 */
export function messageToJson(schema: DescMessage, message: Message): Record<string, unknown> {
  const fields = message as Message & Fields;
  return Object.fromEntries(
    schema.fields.map((field) => [field.jsonName, fieldToJson(field, fields[field.localName])]),
  );
}

/**
 * The schema of what `messageToJson` gives.
 * @param absent JSON names of the fields with a message that may be absent; the proto does not tell them from others
 */
export function messageJsonSchema(schema: DescMessage, absent: ReadonlySet<string>): TSchema {
  const members = schema.fields.map((field): [string, TSchema] => {
    const one = valueSchema(field, absent);
    if (field.fieldKind === "list") return [field.jsonName, Type.Array(one)];
    const isNullable = field.fieldKind === "message" ? absent.has(field.jsonName) : field.proto.proto3Optional;
    return [field.jsonName, isNullable ? nullable(one) : one];
  });
  return Type.Object(Object.fromEntries(members));
}

function fieldToJson(field: DescField, value: unknown): unknown {
  if (value === undefined) return null;
  if (field.message !== undefined) {
    const { message } = field;
    return Array.isArray(value)
      ? value.map((each) => messageToJson(message, each))
      : messageToJson(message, value as Message);
  }
  return field.enum === undefined ? value : enumWord(field.enum, value as number);
}

function valueSchema(field: DescField, absent: ReadonlySet<string>): TSchema {
  if (field.message !== undefined) return messageJsonSchema(field.message, absent);
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

/** A value that a newer core knows and this gateway does not is as good as its unspecified one. */
function wordOf(value: DescEnumValue | undefined): string {
  return (value?.localName ?? "UNSPECIFIED").toLowerCase();
}
