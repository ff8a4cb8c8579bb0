import { type DescMessage, fromBinary, type Message } from "@bufbuild/protobuf";
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

/** Throws `invalid_request` for more fields than any request has, and an Error for bytes that are no message. */
export function checkFieldCount(schema: DescMessage, bytes: Uint8Array): void {
  if (bytes.length > freeBytes) walk(fieldsOf(schema), new BinaryReader(bytes), bytes.length, 0);
}

/** What a field holds by its number, if that is a message. */
type Fields = (number: number) => Fields | undefined;

function fieldsOf(schema: DescMessage): Fields {
  return (number) => {
    const field = schema.fields.find((each) => each.number === number);
    const inner = field?.message && fieldsOf(field.message);
    // An entry of a map is a message of its own: its key is field 1, its value field 2.
    return field?.fieldKind === "map" ? (ofEntry) => (ofEntry === 2 ? inner : undefined) : inner;
  };
}

/** Decoding holds the depth of messages to 100 by itself; this walk ends where that does. @returns fields so far */
function walk(fields: Fields, reader: BinaryReader, end: number, count: number): number {
  let sum = count;
  while (reader.pos < end) {
    const [number, wireType] = reader.tag();
    sum += 1;
    if (sum > maxFields) {
      const detail = `A request has at most ${maxFields} fields.`;
      throw invalidRequest([{ path: [], code: "too_many_items", detail }]);
    }
    const inner = wireType === WireType.LengthDelimited ? fields(number) : undefined;
    if (inner === undefined) reader.skip(wireType, number);
    else {
      const length = reader.uint32();
      sum = walk(inner, reader, reader.pos + length, sum);
    }
  }
  return sum;
}
