// Bodies of REST as messages, compiled like their JSON. They were held to the schema of their message before.
import { type DescField, type DescMessage, type MessageInitShape, ScalarType } from "@bufbuild/protobuf";
import { type Timestamp, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { invalidRequest } from "../errors/refusal.ts";
import { isTime as isRfc3339 } from "../formats.ts";
import { enumWords, isTime, type Member, membersOf } from "./members.ts";

/** Makes a message of JSON that fits its schema. Throws `invalid_request` for a text that is no time. */
export type FromJson<M extends DescMessage> = (json: unknown) => MessageInitShape<M>;

/** What is wrong with a text that is no time. */
export const timeDetail = "Must be a time with its zone, such as 2026-11-20T09:30:00Z.";

const maxInt32 = 2 ** 31 - 1;

/** Compiles the reading of a message. */
export function fromJson<M extends DescMessage>(message: M): FromJson<M> {
  const values: Record<string, number>[] = [];
  const valuesOf = (field: DescField) => {
    const numbers = field.enum?.values.slice(1).map(({ number }) => number) ?? [];
    const words = field.enum === undefined ? [] : enumWords(field.enum);
    return (
      values.push(Object.assign(Object.create(null), Object.fromEntries(words.map((word, i) => [word, numbers[i]])))) -
      1
    );
  };
  const memberOf = ({ field, name }: Member, isNested: boolean): string => {
    const value = `j.${name}`;
    const json = field.fieldKind === "list" ? listOf(field, value) : jsonOf(field, value);
    if (!isNested || field.proto.proto3Optional || field.message !== undefined) {
      return `${field.localName}: ${json === value ? value : `${value} == null ? undefined : ${json}`},`;
    }
    return `${field.localName}: ${value} === undefined ? ${noneOf(field)} : ${json},`;
  };
  const functions: string[] = [];
  // The name of a function that makes a message. Where it was written out in its place, each item of a list made one.
  const functionOf = (desc: DescMessage, isNested: boolean): string => {
    const members = membersOf(desc).map((member) => memberOf(member, isNested));
    // With its type name: creating the messages of so many answers through their schemas takes longer than parsing them.
    const typeName = isNested ? `$typeName: "${desc.typeName}", ` : "";
    return `f${functions.push(`(j) => ({ ${typeName}${members.join(" ")} })`) - 1}`;
  };
  const listOf = (field: DescField, value: string): string => {
    const item = jsonOf(field, "j");
    return item === "j" ? value : `${value}.map((j) => ${item})`;
  };
  const jsonOf = (field: DescField, value: string): string => {
    if (isTime(field)) return `timeOf(${value}, "${field.jsonName}")`;
    if (field.enum !== undefined) return `(values[${valuesOf(field)}][${value}] ?? 0)`;
    if (field.scalar === ScalarType.INT32) return `int32(${value})`;
    if (field.message === undefined || field.message.typeName === "google.protobuf.Struct") return value;
    const wrapped = wrappedList(field.message);
    if (wrapped === undefined) return `${functionOf(field.message, true)}(${value})`;
    return `({ $typeName: "${field.message.typeName}", ${wrapped.localName}: ${value} })`;
  };
  const root = functionOf(message, false);
  const lines = functions.map((text, index) => `const f${index} = ${text};`);
  const source = `"use strict"; ${lines.join(" ")} return ${root};`;
  return new Function("timeOf", "int32", "values", source)(timeOf, int32, values);
}

/** The list of a message that has nothing else: in JSON it stands for the message. */
export function wrappedList(message: DescMessage): DescField | undefined {
  const [field] = message.fields;
  return message.fields.length === 1 && field?.fieldKind === "list" ? field : undefined;
}

/** The moment in a member of a body. Throws `invalid_request` for a text that is none. */
function timeOf(text: string, member: string): Timestamp {
  if (isRfc3339(text)) return timestampFromDate(new Date(text));
  throw invalidRequest([{ path: [member], code: "invalid_format", detail: timeDetail }]);
}

/** A number that no int32 can hold names nothing, and is out of every range; so does -1. */
function int32(value: number): number {
  return Math.abs(value) > maxInt32 ? -1 : value;
}

/** The value of a field that a nested message always has. */
function noneOf(field: DescField): string {
  if (field.fieldKind === "list") return "[]";
  if (field.scalar === ScalarType.STRING) return '""';
  return field.scalar === ScalarType.BOOL ? "false" : "0";
}
