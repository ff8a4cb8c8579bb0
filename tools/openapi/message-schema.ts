// JSON schemas of messages, derived from the protos, for the OpenAPI document and for reading requests.

import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { json_object } from "../../src/gen/assessment/v1/options_pb.ts";
import { type Bounds, listEnumWords, readBounds } from "../../src/json/bounds.ts";
import { findWrappedList, isTime, listMembers, type Member } from "../../src/json/members.ts";
import { products } from "../../src/kernel/ids.ts";
import { findComment, memberComment } from "./comments.ts";
import type { Keywords, Schema } from "./json-schema.ts";

/** Responses have every member. Requests have the required ones, and no unknown ones. */
type Use = "request" | "response";

/** One of some texts. */
export function choiceSchema(values: readonly string[], keywords: Keywords = {}): Schema {
  return { type: "string", enum: [...values], ...keywords };
}

/** The name of a message's schema; empty if it has none. */
export function schemaName(message: DescMessage): string {
  return getOption(message, json_object).name;
}

/** The schema of a message in a response; a reference if it has a name. */
export function responseSchema(message: DescMessage): Schema {
  return nameMessage(message, objectSchema(message, "response"));
}

/** The schema of a message as the body of a request. */
export function requestSchema(message: DescMessage): Schema {
  return nameMessage(message, objectSchema(message, "request"));
}

/** The schema of a query parameter's field. */
export function parameterSchema(field: DescField, rule: Member["rule"]): Schema {
  const { queryWord, defaultValue } = rule;
  if (queryWord !== "") return { type: "string", enum: [queryWord] };
  const schema = itemSchema(field, rule, readBounds(field), "request");
  return defaultValue === undefined ? schema : { ...schema, default: defaultValue };
}

/** The schemas of a message's members in a response. */
export function propertySchemas(message: DescMessage): Record<string, Schema> {
  return Object.fromEntries(listMembers(message).map((member) => propertySchema(member, "response")));
}

function nameMessage(message: DescMessage, schema: Schema): Schema {
  const name = schemaName(message);
  return { ...schema, ...(name === "" ? {} : { $id: name }), description: findComment(message) };
}

function objectSchema(message: DescMessage, use: Use): Schema {
  const members = listMembers(message);
  const isRequired = ({ rule }: Member) => (use === "request" ? rule.required : !rule.leftOut);
  const required = members.filter(isRequired).map(({ name, rule }) => rule.within || name);
  return {
    type: "object",
    properties: Object.fromEntries(members.map((member) => propertySchema(member, use))),
    ...(required.length === 0 ? {} : { required }),
    ...(use === "request" ? { additionalProperties: false } : {}),
  };
}

function propertySchema(member: Member, use: Use): [name: string, schema: Schema] {
  const { name, rule, isNullable } = member;
  const one = valueSchema(member, use);
  const schema = isNullable && use === "response" ? { anyOf: [one, { type: "null" }] } : one;
  if (rule.within === "") return [name, schema];
  return [rule.within, { type: "object", properties: { [name]: schema }, required: [name] }];
}

function valueSchema(member: Member, use: Use): Schema {
  const { field, rule } = member;
  const bounds = readBounds(field);
  const description = use === "request" ? findComment(field) : memberComment(member);
  if (field.fieldKind !== "list") return { ...itemSchema(field, rule, bounds, use), description };
  const items = itemSchema(field, rule, bounds.items ?? {}, use);
  return {
    type: "array",
    items,
    ...dropUnset({ minItems: bounds.minLength, maxItems: bounds.maxLength }),
    description,
  };
}

function itemSchema(field: DescField, rule: Member["rule"], bounds: Bounds, use: Use): Schema {
  if (isTime(field))
    return { type: "string", format: "date-time", examples: [rule.example || "2026-11-21T15:04:05.123Z"] };
  if (field.message !== undefined) return nestedSchema(field.message, rule, use);
  if (field.enum !== undefined) return enumSchema(field.enum, rule, bounds);
  if (field.scalar === ScalarType.STRING || field.scalar === ScalarType.INT64) return textSchema(rule, bounds);
  if (field.scalar === ScalarType.BOOL) return { type: "boolean" };
  const { minimum, maximum } = bounds;
  return {
    type: field.scalar === ScalarType.DOUBLE ? "number" : "integer",
    ...dropUnset({ minimum, maximum }),
    ...(rule.example === "" ? {} : { examples: [Number(rule.example)] }),
  };
}

function nestedSchema(message: DescMessage, { format }: Member["rule"], use: Use): Schema {
  if (message.typeName === "google.protobuf.Struct") return { type: "object", additionalProperties: true };
  if (format === "lenient") {
    const { properties } = objectSchema(message, use);
    return { type: ["object", "null"], properties };
  }
  const [wrapped] = use === "request" && findWrappedList(message) !== undefined ? listMembers(message) : [];
  if (wrapped !== undefined) return valueSchema(wrapped, use);
  const name = schemaName(message);
  return name === "" ? objectSchema(message, use) : { $ref: `${name}#` };
}

function enumSchema(schema: DescEnum, { format, example }: Member["rule"], bounds: Bounds): Schema {
  if (format === "open") return { type: "string", examples: [example] };
  return { type: "string", enum: listEnumWords(schema, bounds) };
}

function textSchema({ format, example }: Member["rule"], bounds: Bounds): Schema {
  const { words = [], pattern, mustBeUuid, minLength, maxLength } = bounds;
  if (words.length > 0) return { type: "string", enum: words };
  if (format === "product") return { type: "string", enum: [...products] };
  const shownExample = mustBeUuid ? "019b2f7c-41d2-7a3e-9c0d-5f1a2b3c4d5e" : example;
  return {
    type: "string",
    ...(mustBeUuid ? { format: "uuid" } : format === "" ? {} : { format }),
    ...dropUnset({ minLength, maxLength, pattern }),
    ...(shownExample === "" ? {} : { examples: [shownExample] }),
  };
}

/** The bounds that a field has. */
function dropUnset(all: Readonly<Record<string, number | string | undefined>>): Schema {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Every named message that some messages contain, themselves included. */
export function namedMessages(roots: Iterable<DescMessage>): DescMessage[] {
  const messages = new Set<DescMessage>();
  const collect = (message: DescMessage): void => {
    if (messages.has(message)) return;
    messages.add(message);
    for (const { message: nestedMessage } of message.fields) if (nestedMessage !== undefined) collect(nestedMessage);
  };
  for (const root of roots) collect(root);
  return [...messages].filter((message) => schemaName(message) !== "");
}
