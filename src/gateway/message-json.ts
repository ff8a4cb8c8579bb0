// Messages as JSON where the interface and the proto name everything alike, so that no name is written down twice.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";

type Fields = Readonly<Record<string, unknown>>;

/**
 * A message as JSON: every field by its JSON name and in the order of the proto, null where it is absent, values of
 * enums in lower case without their prefix. For messages of numbers, texts, truth values, enums and further messages.
 */
export function messageToJson(schema: DescMessage, message: Message): Record<string, unknown> {
  const fields = message as Message & Fields;
  return Object.fromEntries(
    schema.fields.map((field) => [field.jsonName, fieldToJson(field, fields[field.localName])]),
  );
}

function fieldToJson(field: DescField, value: unknown): unknown {
  if (value === undefined) return null;
  if (field.message !== undefined) {
    const { message } = field;
    return Array.isArray(value)
      ? value.map((each) => messageToJson(message, each))
      : messageToJson(message, value as Message);
  }
  return field.enum === undefined ? value : field.enum.value[value as number]?.localName.toLowerCase();
}
