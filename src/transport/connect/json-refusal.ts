// Turns the library's error for a JSON message into a refusal. Its text may quote the request, so it is not passed on.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { unknownEnumValue } from "../../json/bounds.ts";
import { isTime } from "../../json/members.ts";
import { timeDetail, unknownMember } from "../../json/message-from-json.ts";
import { invalidRequest, type Refusal } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";

// `cannot decode message assessment.v1.Subject from JSON: key "nope" is unknown`
const format = /^cannot decode (.+?) from JSON: (?:key "(.*)" is unknown$)?/s;

/** The refusal of a message with an unknown member or a wrong value; undefined for any other fault. */
export function jsonRefusal(words: string, schema: DescMessage): Refusal | undefined {
  const [, subject, unknown] = format.exec(words) ?? [];
  const places = placesIn(schema);
  if (unknown === undefined) {
    const matches = places.filter(({ field }) =>
      [field, field.enum, isOurs(field) ? undefined : field.message].some((each) => String(each) === subject),
    );
    const [first] = matches;
    if (first === undefined) return undefined;
    // The library does not say which of several has such a value.
    const names = matches.map(({ path }) => `\`${path.join(".")}\``).join(" or ");
    const { code, detail } = faultOf(first.field);
    return matches.length === 1
      ? invalidRequest([{ path: first.path, code, detail }])
      : invalidRequest([{ path: [], code, detail: `${names}: ${detail}` }]);
  }
  const place = places.find(({ field }) => String(field.message) === subject);
  const message = String(schema) === subject ? schema : place?.field.message;
  const members = message?.fields.map(({ jsonName }) => jsonName);
  return members && invalidRequest([unknownMember(place?.path ?? [], unknown.toWellFormed(), members)]);
}

function faultOf(field: DescField): Pick<Violation, "code" | "detail"> {
  if (field.enum !== undefined) return unknownEnumValue(field.enum);
  if (isTime(field)) return { code: "invalid_format", detail: timeDetail };
  return { code: "wrong_type", detail: "The member does not accept such a value." };
}

function isOurs({ message }: DescField): boolean {
  return message !== undefined && !message.typeName.startsWith("google.");
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
    return [{ field, path }, ...(isOurs(field) && field.message ? placesIn(field.message, path) : [])];
  });
}
