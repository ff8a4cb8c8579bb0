// Messages as JSON of REST. Each message is compiled to a function with a literal of its members, as Ajv does with
// schemas: members that are looked up by name took twice as long.
import { type DescField, type DescMessage, type MessageShape, ScalarType } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { enumWord, isTime, type Member, membersOf } from "./members.ts";

/** An object of JSON. Members that are undefined are none: `JSON.stringify` leaves them out. */
export type JsonObject = Record<string, unknown>;

/** Makes the JSON of a message. */
export type ToJson<M extends DescMessage> = (message: MessageShape<M>) => JsonObject;

/** RFC 3339 in UTC with milliseconds. */
export function dateTime(timestamp: Timestamp): string {
  return timestampDate(timestamp).toISOString();
}

/** Compiles a message that has no oneof. @param without fields that are no members here, by their local names */
export function toJson<M extends DescMessage>(message: M, without: readonly (keyof MessageShape<M>)[] = []): ToJson<M> {
  const source = new Source();
  const root = source.functionOf(message, without as readonly string[]);
  const make = new Function("dateTime", "words", `"use strict";\n${source.lines.join("\n")}\nreturn ${root};`);
  return make(dateTime, source.words) as ToJson<M>;
}

/** The functions of a message and of all messages in it, as JavaScript. */
class Source {
  readonly lines: string[] = [];
  /** By the index of their enum here, then by number. */
  readonly words: string[][] = [];
  readonly #names = new Map<DescMessage, string>();

  /** The name of the function that makes the JSON of a message. */
  functionOf(message: DescMessage, without: readonly string[] = []): string {
    const known = this.#names.get(message);
    if (known !== undefined) return known;
    const members = membersOf(message).filter(({ field }) => !without.includes(field.localName));
    const literal = members.map((member) => `${this.#memberOf(member)},`).join(" ");
    const name = `f${this.lines.length}`;
    this.lines.push(`const ${name} = (m) => ({ ${literal} });`);
    this.#names.set(message, name);
    return name;
  }

  #memberOf({ field, name, rule }: Member): string {
    const value = `m.${field.localName}`;
    const none = rule.leftOut && !rule.nullIfEmpty ? "undefined" : "null";
    const isEmpty = this.#emptiness(field, value, rule.leftOut || rule.nullIfEmpty);
    const json = field.fieldKind === "list" ? this.#listOf(field, value) : this.#jsonOf(field, value);
    const member = `${name}: ${isEmpty === undefined ? json : unless(isEmpty, none, json, value)}`;
    return rule.within === "" ? member : `${rule.within}: { ${member} }`;
  }

  /** A condition of the value that is left out; undefined if every value is written. */
  #emptiness(field: DescField, value: string, isByDefault: boolean): string | undefined {
    if (field.fieldKind === "list") return isByDefault ? `${value}.length === 0` : undefined;
    if (field.message !== undefined || field.proto.proto3Optional) return `${value} === undefined`;
    return isByDefault ? `!${value}` : undefined;
  }

  #listOf(field: DescField, value: string): string {
    const item = this.#jsonOf(field, "v");
    return item === "v" ? value : `${value}.map((v) => ${item})`;
  }

  #jsonOf(field: DescField, value: string): string {
    if (isTime(field)) return `dateTime(${value})`;
    if (field.message !== undefined) return `${this.functionOf(field.message)}(${value})`;
    if (field.enum !== undefined) {
      const { values } = field.enum;
      const words: string[] = [];
      for (const { number } of values) words[number] = enumWord(field.enum, number);
      const index = this.words.push(words) - 1;
      return `(words[${index}][${value}] ?? "unspecified")`;
    }
    if (field.scalar === ScalarType.INT64) return `String(${value})`;
    if (field.scalar === ScalarType.BYTES) throw new Error(`${field} holds bytes, which JSON does not know`);
    return value;
  }
}

/** A value as it is, or what stands for none. The shorter form is the faster one. */
function unless(isEmpty: string, none: string, json: string, value: string): string {
  if (json === value && isEmpty === `${value} === undefined`) return `${value} ?? ${none}`;
  return `${isEmpty} ? ${none} : ${json}`;
}
