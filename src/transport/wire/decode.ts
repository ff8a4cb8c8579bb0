// Messages of gRPC and Connect, decoded within bounds.
import { type DescMessage, fromBinary, type Message } from "@bufbuild/protobuf";
import { invalidRequest, Refusal } from "../../kernel/errors/refusal.ts";
import { checkFieldCount } from "./message-bounds.ts";

/** The message in the bytes. Throws `malformed_request`, `invalid_request` (too many fields, too many levels). */
export function decodeBinary(schema: DescMessage, bytes: Uint8Array): Message {
  try {
    checkFieldCount(schema, bytes);
    return fromBinary(schema, bytes, { readUnknownFields: false });
  } catch (error) {
    throw refusalOfDecoding(error, schema);
  }
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
