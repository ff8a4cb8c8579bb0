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
    [`${name} empty, again and again`, () => fill(bytes, [...tag(number, 2), 0])],
    [`${name} a number, again and again`, () => fill(bytes, [...tag(number, 0), 1])],
    [`${name} a long text`, () => delimited(number, Buffer.alloc(bytes - 10, "a"))],
    [`${name} a long language tag`, () => delimited(number, Buffer.from(languageTag(bytes - 16)))],
    [`${name} of broken characters`, () => delimited(number, Buffer.alloc(bytes - 10, 0xc3))],
    [`${name} of messages in messages`, () => delimited(number, nested(bytes - 10, field))],
    [`${name} of small members`, () => delimited(number, fill(bytes - 10, [...tag(1, 2), 2, ...tag(1, 0), 1]))],
  ];
}

/** The part again and again. */
function fill(bytes: number, part: readonly number[]): Buffer {
  const whole = Buffer.alloc(bytes - (bytes % part.length));
  return whole.fill(Uint8Array.from(part));
}

/** A message in the first field of a message, as deep as it fits. */
function nested(bytes: number, { fieldKind }: DescField): Buffer {
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
