// Turns the library's error for a JSON message into a refusal. Its text may quote the request, so it is not passed on.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { unknownMember } from "../../json/message-from-json.ts";
import { invalidRequest, type Refusal } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";

// `cannot decode message assessment.v1.Subject from JSON: key "nope" is unknown`
const format = /^cannot decode (.+?) from JSON: (?:key "(.*)" is unknown$)?/s;

/** The refusal of a message with an unknown member or a wrong value; undefined for any other fault. */
export function jsonRefusal(words: string, schema: DescMessage): Refusal | undefined {
  const [, subject, unknown] = format.exec(words) ?? [];
  const places = placesIn(schema);
  if (unknown === undefined) {
    const path = places.find(({ field }) => String(field) === subject || String(field.enum) === subject)?.path;
    return path && invalidRequest([{ path, code: "wrong_type", detail: "The member does not accept such a value." }]);
  }
  const place = places.find(({ field }) => String(field.message) === subject);
  const message = String(schema) === subject ? schema : place?.field.message;
  const members = message?.fields.map(({ jsonName }) => jsonName);
  return members && invalidRequest([unknownMember(place?.path ?? [], unknown.toWellFormed(), members)]);
}

interface Place {
  readonly field: DescField;
  /** Positions in lists are left out: the library does not report them. */
  readonly path: Violation["path"];
}

/** The fields of a message at all levels. No request type contains itself. */
function placesIn(message: DescMessage, outer: Violation["path"] = []): Place[] {
  return message.fields.flatMap((field) => {
    const path = [...outer, field.jsonName];
    const isOurs = field.message !== undefined && !field.message.typeName.startsWith("google.");
    return [{ field, path }, ...(isOurs ? placesIn(field.message, path) : [])];
  });
}
