// The members of a message in the JSON of REST, derived from the protos with their option `json`.
import { type DescEnum, type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { type JsonMember, json } from "../gen/assessment/v1/options_pb.ts";

/** A field as a member of JSON. */
export interface Member {
  readonly field: DescField;
  readonly name: string;
  /** Its option `json`; empty if it has none. */
  readonly rule: JsonMember;
  /** Whether it may be null. */
  readonly isNullable: boolean;
}

/** The members of a message in the order of the proto, without fields in the path or a header. */
export function listMembers(message: DescMessage): Member[] {
  return message.fields.flatMap((field) => {
    const rule = getOption(field, json);
    if (rule.elsewhere) return [];
    if (field.oneof !== undefined) throw new Error(`${field} is in a oneof, which JSON does not know`);
    const isOptional = field.proto.proto3Optional && !rule.leftOut;
    const isNullable = isOptional || rule.nullIfEmpty;
    return [{ field, name: field.jsonName, rule, isNullable }];
  });
}

/** The list of a message that has no other field. In JSON it replaces the message. */
export function findWrappedList(message: DescMessage): DescField | undefined {
  const [field] = message.fields;
  return message.fields.length === 1 && field?.fieldKind === "list" ? field : undefined;
}

/** Whether a field holds a time. */
export function isTime(field: DescField): boolean {
  return field.message?.typeName === "google.protobuf.Timestamp";
}

/** The word of an enum value. A value of a newer core counts as unspecified. */
export function toEnumWord(schema: DescEnum, value: number): string {
  return (schema.value[value]?.localName ?? "UNSPECIFIED").toLowerCase();
}

/** The value of a word; 0 (unspecified) for any other text. */
export function parseEnumWord(schema: DescEnum, word: string): number {
  return schema.values.slice(1).find(({ localName }) => localName.toLowerCase() === word)?.number ?? 0;
}

type Words<E> = { readonly [K in Exclude<keyof E, "UNSPECIFIED"> as Lowercase<K & string>]: E[K] };

/** The values of an enum by their words, except the unspecified one: `mapEnumWords(SessionMode).hosted`. */
export function mapEnumWords<E extends Readonly<Record<string, number>>>(values: E): Words<E> {
  const statedValues = Object.entries(values).filter(([name]) => name !== "UNSPECIFIED");
  return Object.fromEntries(statedValues.map(([name, value]) => [name.toLowerCase(), value])) as Words<E>;
}

/** The word of a value, `hosted` for `SessionMode.HOSTED`; undefined for an unspecified or unknown one. */
export function findEnumWord<E extends Readonly<Record<string, number>>>(values: E, value?: number) {
  const name = Object.keys(values).find((each) => each !== "UNSPECIFIED" && values[each] === value);
  return name?.toLowerCase() as keyof Words<E> | undefined;
}
