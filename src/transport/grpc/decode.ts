import { type DescField, type DescMessage, fromBinary, type Message } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { invalidRequest, Refusal } from "../../kernel/errors/refusal.ts";

/** The message in bytes. Throws `malformed_request`, `invalid_request` (too many fields, too many levels). */
export type Decode = (bytes: Uint8Array) => Message;

/** A decoder of requests of one rpc. */
export function requestDecoder(schema: DescMessage): Decode {
  return (bytes) => {
    try {
      checkFieldCount(schema, bytes);
      return fromBinary(schema, bytes, { readUnknownFields: false });
    } catch (error) {
      throw refusalOfDecoding(error, schema);
    }
  };
}

/**
 * The refusal of bytes that cannot be decoded. Messages of the library quote what was sent, so they go no further.
 */
export function refusalOfDecoding(error: unknown, schema: DescMessage): Refusal {
  if (error instanceof Refusal) return error;
  const isTooDeep = error instanceof Error && error.message.includes("recursion depth");
  if (!isTooDeep) return new Refusal("malformed_request", `The bytes are not a ${schema.name}.`);
  // Only free-form members can be nested at will.
  const free = schema.fields.find((field) => field.message?.typeName === "google.protobuf.Struct");
  const tooDeep = "JSON may be nested at most 16 levels deep, the body included.";
  return invalidRequest([{ path: free === undefined ? [] : [free.localName], code: "too_deep", detail: tooDeep }]);
}

/** Fields in one message, at all levels. A request with 1,000 answers has 5,000. */
const maxFields = 20_000;
/** A field takes at least two bytes, so shorter messages need no look. */
const freeBytes = 2 * maxFields;

interface Count {
  fields: number;
}

/** Throws `invalid_request` for more fields than any request has, and an Error for bytes that are no message. */
export function checkFieldCount(schema: DescMessage, bytes: Uint8Array): void {
  if (bytes.length > freeBytes) walk(schema, new BinaryReader(bytes), bytes.length, { fields: 0 });
}

/** Decoding holds the depth of messages to 100 by itself; this walk ends where that does. */
function walk(schema: DescMessage, reader: BinaryReader, end: number, count: Count): void {
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    count.fields += 1;
    if (count.fields > maxFields) {
      throw invalidRequest([
        { path: [], code: "too_many_items", detail: `A request has at most ${maxFields} fields.` },
      ]);
    }
    const field = schema.fields.find((each) => each.number === number);
    if (field?.message === undefined || wireType !== WireType.LengthDelimited) reader.skip(wireType, number);
    else walkInto(field, field.message, reader, count);
  }
}

function walkInto(field: DescField, message: DescMessage, reader: BinaryReader, count: Count): void {
  const end = reader.uint32() + reader.pos;
  if (field.fieldKind === "map") walkEntry(message, reader, end, count);
  else walk(message, reader, end, count);
}

/** An entry of a map is a message of its own: its key is field 1, its value field 2. */
function walkEntry(value: DescMessage, reader: BinaryReader, end: number, count: Count): void {
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    if (number === 2 && wireType === WireType.LengthDelimited) {
      const length = reader.uint32();
      walk(value, reader, reader.pos + length, count);
    } else {
      reader.skip(wireType, number);
    }
  }
}
