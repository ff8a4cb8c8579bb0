// Decodes and encodes messages of the gRPC port. The statements of an assessment are encoded once: encoding them for each
// new session took a fifth of the CPU of a whole assessment.
import { type DescField, type DescMessage, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import {
  type CreateSessionResponse,
  CreateSessionResponseSchema,
  type HeadlessSession,
  HeadlessSessionSchema,
} from "../../gen/assessment/v1/session_service_pb.ts";
import { invalidFieldError, Refusal } from "../../kernel/errors/refusal.ts";
import { depthDetail } from "../../kernel/formats.ts";

/** The message in bytes. Throws `malformed_request`, `invalid_request` (too many fields, too many levels). */
export type Decode = (bytes: Uint8Array) => Message;

/** For the library, which passes bytes through: calls decode and encode them. */
export function passThrough(bytes: Buffer): Buffer {
  return bytes;
}

/** A decoder of requests of one rpc. */
export function createRequestDecoder(schema: DescMessage): Decode {
  return (bytes) => {
    if (bytes.length > uncheckedBytes) checkFields(schema, bytes);
    try {
      return fromBinary(schema, bytes, { readUnknownFields: false });
    } catch {
      // Errors of the library quote the request, so they are not passed on.
      checkFields(schema, bytes);
      throw undecodableError(schema);
    }
  };
}

export function undecodableError({ name }: DescMessage): Refusal {
  return new Refusal("malformed_request", `The bytes are not a ${name}.`);
}

/** The refusal of a message that is nested too deeply. Only free-form members can be nested to any depth. */
export function tooDeepError({ fields }: DescMessage): Refusal {
  const free = fields.find(({ message }) => message?.typeName === "google.protobuf.Struct");
  return invalidFieldError(free === undefined ? [] : [free.localName], "too_deep", depthDetail);
}

/** Fields in one message, at all levels. A request with 1,000 answers has 5,000. */
const maxFields = 20_000;
/** A field takes at least two bytes, so shorter messages are not counted. */
const uncheckedBytes = 2 * maxFields;
/** As deep as the library decodes messages. */
const maxDepth = 100;

/** Throws `invalid_request` if there are too many fields or levels, and `malformed_request` if the bytes are no message. */
function checkFields(schema: DescMessage, bytes: Uint8Array): void {
  const reader = new BinaryReader(bytes);
  let count = 0;
  const walk = (outer: DescMessage | DescField, end: number, levelsLeft: number): void => {
    if (levelsLeft === 0) throw tooDeepError(schema);
    while (reader.pos < end) {
      const [number, wireType] = reader.tag();
      count += 1;
      if (count > maxFields) {
        const detail = `A request has at most ${maxFields} fields.`;
        throw invalidFieldError([], "too_many_items", detail);
      }
      const inner = wireType === WireType.LengthDelimited ? findInner(outer, number) : undefined;
      if (inner === undefined) reader.skip(wireType, number);
      else walk(inner, reader.uint32() + reader.pos, levelsLeft - 1);
    }
  };
  try {
    walk(schema, bytes.length, maxDepth);
  } catch (error) {
    throw error instanceof Refusal ? error : undecodableError(schema);
  }
}

/** The content of a field, by its number: a message, or the entries of a map, whose values have the number 2. */
function findInner(outer: DescMessage | DescField, number: number): DescMessage | DescField | undefined {
  if (outer.kind === "field") return number === 2 ? outer.message : undefined;
  const field = outer.fields.find((each) => each.number === number);
  return field?.fieldKind === "map" ? field : field?.message;
}

export type Encode = (message: Message) => Uint8Array;

/** An encoder for responses of one rpc. */
export function createResponseEncoder(schema: DescMessage): Encode {
  return schema === CreateSessionResponseSchema ? createSessionEncoder() : (message) => toBinary(schema, message);
}

/** Encodes the statements of a new session once for each version and language: they never change. */
function createSessionEncoder(): Encode {
  const { headless } = CreateSessionResponseSchema.field;
  const encodings = new WeakMap<HeadlessSession, Uint8Array>();
  return (message) => {
    const created = message as CreateSessionResponse;
    const { variant } = created;
    if (variant.case !== "headless") return toBinary(CreateSessionResponseSchema, created);
    const data =
      encodings.get(variant.value) ?? new BinaryWriter().bytes(toBinary(HeadlessSessionSchema, variant.value)).finish();
    encodings.set(variant.value, data);
    // The library writes fields that it does not know as they are.
    const $unknown = [{ no: headless.number, wireType: WireType.LengthDelimited, data }];
    return toBinary(CreateSessionResponseSchema, { ...created, variant: { case: undefined }, $unknown });
  };
}
