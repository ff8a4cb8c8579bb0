// The two protocols of browsers and their friends, as far as unary calls go: Connect, and gRPC-Web. They differ in how a
// message is wrapped and where a status stands.
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { DescMethodUnary, JsonValue, Message } from "@bufbuild/protobuf";
import { toJson } from "@bufbuild/protobuf";
import type { BodyBudget } from "../../kernel/calls/body-budget.ts";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { parseJson } from "../http/bodies/json-body.ts";
import { decodeBinary, decodeJson } from "../wire/decode.ts";
import type { Encode } from "../wire/encode-binary.ts";

/** What a response is on the wire. */
export interface WireResponse {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Uint8Array;
}

/** One protocol with one coding of messages, for one request. */
export interface Wire {
  /** Milliseconds that the caller grants; undefined if it does not say. Throws `malformed_request`. */
  timeoutMs(): number | undefined;
  /** Reads the message of the request. Throws Refusals, CallerGone. */
  read(method: DescMethodUnary, limits: ReadLimits, budget: BodyBudget): Promise<Message>;
  respond(rpc: EncodableRpc, message: Message): Promise<WireResponse>;
  refuse(refusal: Refusal): WireResponse;
}

/** An rpc whose responses can be written. */
export interface EncodableRpc {
  readonly method: DescMethodUnary;
  readonly encode: Encode;
}

/** How messages are written. */
export type Coding = "proto" | "json";

/** The message in the bytes. */
export function decodeMessage({ input }: DescMethodUnary, coding: Coding, bytes: Buffer): Message {
  if (coding === "proto") return decodeBinary(input, bytes);
  return decodeJson(input, (bytes.length === 0 ? {} : parseJson(bytes)) as JsonValue);
}

/** The bytes of the message. */
export function encodeMessage({ method, encode }: EncodableRpc, coding: Coding, message: Message): Uint8Array {
  return coding === "proto" ? encode(message) : Buffer.from(JSON.stringify(toJson(method.output, message)));
}

/** The coding in which a body or message is packed; `identity` if it is not. */
export function packingOf(header: string | undefined): "gzip" | "identity" {
  if (header === undefined || header === "identity") return "identity";
  if (header === "gzip") return "gzip";
  throw new Refusal("unsupported_media_type", "Messages are read as they are, or packed with gzip.");
}

/** The header of a request, if it came once. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
