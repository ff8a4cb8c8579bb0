// Finds what is wrong in the JSON of a message that the library cannot read. Its own error may quote the request.
import { type DescField, type DescMessage, fromJson, type JsonValue } from "@bufbuild/protobuf";
import { unknownEnumValue } from "../../json/bounds.ts";
import { isTime } from "../../json/members.ts";
import { timeDetail, unknownMember } from "../../json/message-from-json.ts";
import type { Violation } from "../../kernel/errors/violation.ts";

/** The first member that is unknown or has a wrong value; undefined if there is none. */
export function findJsonViolation(
  schema: DescMessage,
  json: JsonValue,
  path: Violation["path"] = [],
): Violation | undefined {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined;
  for (const [name, value] of Object.entries(json)) {
    const field = schema.fields.find((each) => each.jsonName === name || each.name === name);
    if (field === undefined) {
      const members = schema.fields.map(({ jsonName }) => jsonName);
      return unknownMember(path, name.toWellFormed(), members);
    }
    if (!isReadable(schema, { [name]: value })) return findMemberViolation(field, value, [...path, field.jsonName]);
  }
  return undefined;
}

function isReadable(schema: DescMessage, json: JsonValue): boolean {
  try {
    return fromJson(schema, json) !== undefined;
  } catch {
    return false;
  }
}

/** The violation of a member that cannot be read: of one within it, if it has any. */
function findMemberViolation(field: DescField, json: JsonValue, path: Violation["path"]): Violation {
  const { message } = field;
  const items = Array.isArray(json)
    ? json.map((item, index) => ({ item, at: [...path, index] }))
    : [{ item: json, at: path }];
  for (const { item, at } of message?.typeName.startsWith("google.") === false ? items : []) {
    const inner = message && findJsonViolation(message, item, at);
    if (inner !== undefined) return inner;
  }
  if (field.enum !== undefined) return { path, ...unknownEnumValue(field.enum) };
  if (isTime(field)) return { path, code: "invalid_format", detail: timeDetail };
  return { path, code: "wrong_type", detail: "The member does not accept such a value." };
}
