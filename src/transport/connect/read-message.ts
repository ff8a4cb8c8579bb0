// Reads messages of Connect and gRPC-Web, in the form that their headers state. Their size is checked before they are
// decoded, and again while they are decompressed.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type DescField, type DescMessage, fromJson, type JsonValue, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { compressedFlag } from "@connectrpc/connect/protocol";
import {
  parseTimeout as parseConnectTimeout,
  parseContentType as parseConnectType,
} from "@connectrpc/connect/protocol-connect";
import {
  parseTimeout as parseGrpcWebTimeout,
  parseContentType as parseGrpcWebType,
} from "@connectrpc/connect/protocol-grpc-web";
import { compressionGzip } from "@connectrpc/connect-node";
import { describeUnknownEnumValue } from "../../json/bounds.ts";
import { isTime } from "../../json/members.ts";
import { describeUnknownMember, isDeeperThan, timeDetail } from "../../json/message-from-json.ts";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { invalidRequestError, Refusal } from "../../kernel/errors/refusal.ts";
import type { Violation } from "../../kernel/errors/violation.ts";
import { maxJsonDepth } from "../../kernel/formats.ts";
import type { ArrivingMessages } from "../../limits/memory.ts";
import { createRequestDecoder, tooDeepError, undecodableError } from "../grpc/messages.ts";
import { parseJson, readBody } from "../http/bodies.ts";

/** The form of a request. */
export interface MessageForm {
  readonly isGrpcWeb: boolean;
  readonly isJson: boolean;
  /** The compression of the message, for example `gzip`, or `identity`. */
  readonly compression: string;
  /** Milliseconds; undefined if the caller sends none; NaN if it is invalid. */
  readonly timeoutMs: number | undefined;
}

/** The form of a request, whose timeout is removed from its headers; undefined for types that are not served. */
export function takeForm({ headers }: IncomingMessage): MessageForm | undefined {
  const contentType = headers["content-type"] ?? null;
  const connect = parseConnectType(contentType);
  if (connect?.stream === false) {
    const compression = headers["content-encoding"] ?? "identity";
    const timeoutMs = takeTimeout(headers, "connect-timeout-ms", parseConnectTimeout);
    return { isGrpcWeb: false, isJson: !connect.binary, compression, timeoutMs };
  }
  const grpcWeb = parseGrpcWebType(contentType);
  if (grpcWeb?.text !== false) return undefined;
  const compression = headers["grpc-encoding"]?.toString() ?? "identity";
  const timeoutMs = takeTimeout(headers, "grpc-timeout", parseGrpcWebTimeout);
  return { isGrpcWeb: true, isJson: !grpcWeb.binary, compression, timeoutMs };
}

/** The pipeline enforces a timeout, and a timer of the library would overflow after 24 days. */
function takeTimeout(headers: IncomingHttpHeaders, name: string, parse: typeof parseConnectTimeout) {
  const { timeoutMs, error } = parse(headers[name]?.toString() ?? null, Number.POSITIVE_INFINITY);
  delete headers[name];
  return error === undefined ? timeoutMs : Number.NaN;
}

/** Bytes before a message of gRPC-Web: flags, and its length. */
const prefixBytes = 5;

/** A reader of messages of one type. It throws Refusals, and CallerGone. */
export function createMessageReader(schema: DescMessage, bodies: ArrivingMessages) {
  const decode = createRequestDecoder(schema);
  return async (request: IncomingMessage, form: MessageForm, limits: ReadLimits): Promise<Message> => {
    const { compression, isGrpcWeb, isJson } = form;
    if (compression !== "identity" && compression !== "gzip") {
      throw new Refusal("unsupported_media_type", "Send messages uncompressed, or compressed with gzip.");
    }
    let isCompressed = compression === "gzip";
    const maxBytes = limits.maxBytes + (isGrpcWeb ? prefixBytes : 0);
    const body = await readBody(request, { maxBytes, caller: limits.caller, address: limits.address }, bodies);
    if (isGrpcWeb) isCompressed = checkEnvelope(body, isCompressed);
    const message = isGrpcWeb ? body.subarray(prefixBytes) : body;
    const bytes = isCompressed ? await decompress(message, limits.maxBytes) : message;
    return isJson ? decodeJson(schema, bytes) : decode(bytes);
  };
}

/** Whether the message in its envelope is compressed. Throws if there is no envelope, or compression is not allowed. */
function checkEnvelope(body: Buffer, mayBeCompressed: boolean): boolean {
  if (body.length < prefixBytes || body.readUInt32BE(1) !== body.length - prefixBytes) {
    throw new Refusal("malformed_request", "The body is not one message in its envelope.");
  }
  const isCompressed = (body.readUInt8() & compressedFlag) !== 0;
  if (isCompressed && !mayBeCompressed)
    throw new Refusal("malformed_request", "The message is compressed, and grpc-encoding is missing.");
  return isCompressed;
}

/** Decompresses up to the limit. */
async function decompress(body: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  try {
    return await compressionGzip.decompress(body, maxBytes);
  } catch (error) {
    if (ConnectError.from(error).code !== Code.ResourceExhausted) {
      throw new Refusal("malformed_request", "The message is not compressed with gzip.");
    }
    throw new Refusal("payload_too_large", `A message of this call has at most ${maxBytes} bytes.`);
  }
}

function decodeJson(schema: DescMessage, bytes: Uint8Array): Message {
  const json = parseJson(bytes);
  try {
    return fromJson(schema, json);
  } catch {
    if (isDeeperThan(json, maxJsonDepth)) throw tooDeepError(schema);
    const violation = findJsonViolation(schema, json);
    throw violation === undefined ? undecodableError(schema) : invalidRequestError([violation]);
  }
}

/** The first member of JSON that is unknown or has a wrong value. The library's own error may quote the JSON. */
function findJsonViolation(schema: DescMessage, json: JsonValue, path: Violation["path"] = []): Violation | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  if (Array.isArray(json)) {
    for (const [index, item] of json.entries()) {
      const violation = findJsonViolation(schema, item, [...path, index]);
      if (violation !== undefined) return violation;
    }
    return undefined;
  }
  for (const [name, value] of Object.entries(json)) {
    const field = schema.fields.find((each) => each.jsonName === name || each.name === name);
    if (field === undefined) {
      const members = schema.fields.map(({ jsonName }) => jsonName);
      return describeUnknownMember(path, name.toWellFormed(), members);
    }
    if (isReadable(schema, { [name]: value })) continue;
    const { message } = field;
    const memberPath = [...path, field.jsonName];
    const isOwn = message !== undefined && !message.typeName.startsWith("google.");
    return (isOwn ? findJsonViolation(message, value, memberPath) : undefined) ?? describeUnreadable(field, memberPath);
  }
  return undefined;
}

function isReadable(schema: DescMessage, json: JsonValue): boolean {
  try {
    return fromJson(schema, json) !== undefined;
  } catch {
    return false;
  }
}

function describeUnreadable(field: DescField, path: Violation["path"]): Violation {
  if (field.enum !== undefined) return { path, ...describeUnknownEnumValue(field.enum) };
  if (isTime(field)) return { path, code: "invalid_format", detail: timeDetail };
  return { path, code: "wrong_type", detail: "The member does not accept such a value." };
}
