// Messages in binary at the size limit that cost a careless reader most.
import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { languageTag } from "./texts.ts";

/** Named makers of messages of about that many bytes. */
export function worstMessages(message: DescMessage, bytes: number): [string, () => Buffer][] {
  return [
    ["unknown numbers", () => fill(bytes, [...tag(15_000, 0), 1])],
    ["unknown texts", () => fill(bytes, [...tag(15_000, 2), 0])],
    ["groups that never end", () => fill(bytes, tag(15_000, 3))],
    ["zeros", () => Buffer.alloc(bytes)],
    ["numbers without an end", () => Buffer.alloc(bytes, 0xff)],
    ...message.fields.flatMap((field) => worstFields(field, bytes)),
  ];
}

function worstFields(field: DescField, bytes: number): [string, () => Buffer][] {
  const { number, localName: name } = field;
  return [
    [`empty, again and again as ${name}`, () => fill(bytes, [...tag(number, 2), 0])],
    [`a number, again and again as ${name}`, () => fill(bytes, [...tag(number, 0), 1])],
    [`a long text as ${name}`, () => delimited(number, Buffer.alloc(bytes - 10, "a"))],
    [`a long language tag as ${name}`, () => delimited(number, Buffer.from(languageTag(bytes - 16)))],
    [`broken characters as ${name}`, () => delimited(number, Buffer.alloc(bytes - 10, 0xc3))],
    [`messages in messages as ${name}`, () => delimited(number, createNested(bytes - 10, field))],
    [`small members as ${name}`, () => delimited(number, fill(bytes - 10, [...tag(1, 2), 2, ...tag(1, 0), 1]))],
  ];
}

/** The part again and again. */
function fill(bytes: number, part: readonly number[]): Buffer {
  const whole = Buffer.alloc(bytes - (bytes % part.length));
  return whole.fill(Uint8Array.from(part));
}

/** A message in the first field of a message, as deep as it fits. */
function createNested(bytes: number, { fieldKind }: DescField): Buffer {
  const parts: Buffer[] = [];
  const steps = fieldKind === "message" ? [1, 2, 6] : [1];
  for (let length = 0, index = 0; length < bytes - 10; index += 1) {
    const head = Buffer.from([...tag(steps[index % steps.length] ?? 1, 2), ...varint(length)]);
    parts.push(head);
    length += head.length;
  }
  return Buffer.concat(parts.reverse());
}

function delimited(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([...tag(number, 2), ...varint(content.length)]), content]);
}

function tag(number: number, wireType: number): number[] {
  return varint(number * 8 + wireType);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
