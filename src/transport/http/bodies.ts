// Reads bodies of requests, within bounds on their size and shape: JSON, strictly, and forms.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { MIMEType } from "node:util";
import type { JsonValue } from "@bufbuild/protobuf";
import type { FastifyInstance } from "fastify";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { details } from "../../kernel/errors/details.ts";
import { CallerGone, invalidRequestError, Refusal } from "../../kernel/errors/refusal.ts";
import type { ArrivingMessage, ArrivingMessages } from "../../limits/memory.ts";

/** Most members and items of a body, at all levels. A request with 1,000 answers has 5,000. */
const maxJsonValues = 20_000;
/** A value takes at least two bytes, so shorter bodies cannot have too many. */
const uncheckedBytes = 2 * maxJsonValues;

const utf8 = new TextDecoder("utf-8", { fatal: true });

const json = "application/json";

/**
 * Normalises headers that can be written in many ways, for every transport: the type of JSON in UTF-8 loses its charset,
 * and the coding `identity` is removed, as is an invalid type: Fastify would refuse it before the caller is known.
 */
export function normalizeBodyHeaders(headers: IncomingHttpHeaders): void {
  const { "content-type": type, "content-encoding": coding } = headers;
  if (coding?.toLowerCase() === "identity") delete headers["content-encoding"];
  if (type === undefined || type === json) return;
  try {
    const { essence, params } = new MIMEType(type);
    const isJson = /^application\/(grpc-web\+)?json$/.test(essence);
    if (isJson && /^utf-?8$/i.test(params.get("charset") ?? "utf-8")) headers["content-type"] = essence;
  } catch {
    delete headers["content-type"];
  }
}

/** Has Fastify leave bodies to the handlers of a scope, which read them once they know the caller. */
export function disableBodyParsing(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // A type that is named is found in a cache, any other one is parsed for each request.
  for (const type of [json, "*"]) app.addContentTypeParser(type, (_request, _body, done) => done(null));
}

/** Refuses a body that is not declared as JSON in UTF-8, or is compressed. */
function requireJson({ headers }: IncomingMessage): void {
  const { "content-type": type, "content-encoding": coding } = headers;
  if (type !== json) {
    const isOtherCharset = type?.toLowerCase().startsWith(`${json};`) === true;
    const detail = isOtherCharset ? "JSON is read as UTF-8 only." : details.unsupported_media_type;
    throw new Refusal("unsupported_media_type", detail);
  }
  if (coding !== undefined) {
    throw new Refusal("unsupported_media_type", "Compressed request bodies are not read; send the body as it is.");
  }
}

/** The bytes of a JSON body; undefined without one. Throws `unsupported_media_type`, and as `readBody` does. */
export async function readJsonBody(
  request: IncomingMessage,
  limits: ReadLimits,
  bodies: ArrivingMessages,
): Promise<Buffer | undefined> {
  // An empty body counts as none, whatever type it declares.
  if (isWithoutBody(request) && request.headers["content-type"] === undefined) return undefined;
  requireJson(request);
  const body = await readBody(request, limits, bodies);
  return body.length === 0 ? undefined : body;
}

/** The fields of a form body; undefined without one. Throws `unsupported_media_type`, and as `readBody` does. */
export async function readFormBody(
  request: IncomingMessage,
  limits: ReadLimits,
  bodies: ArrivingMessages,
): Promise<URLSearchParams | undefined> {
  const { "content-type": type, "content-encoding": coding } = request.headers;
  const essence = /^\s*([^;\s]*)\s*(?:;|$)/.exec(type ?? "")?.[1]?.toLowerCase();
  const body = essence === "application/x-www-form-urlencoded" ? await readBody(request, limits, bodies) : undefined;
  if (body === undefined && type === undefined && isWithoutBody(request)) return undefined;
  if (body === undefined || coding !== undefined) {
    throw new Refusal(
      "unsupported_media_type",
      "Send the body as `application/x-www-form-urlencoded`, not as JSON and not compressed.",
    );
  }
  return body.length === 0 ? undefined : new URLSearchParams(body.toString());
}

function isWithoutBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
}

/** The value in JSON text. Throws `malformed_request`, and `invalid_request` for too many values and repeated members. */
export function parseJson(body: Uint8Array): JsonValue {
  const { values, members } = countTokens(body);
  if (values > maxJsonValues && body.length > uncheckedBytes) {
    throw bodyError("too_many_items", `A body has at most ${maxJsonValues} members and items.`);
  }
  const text = decodeText(body);
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Refusal("malformed_request", `The body is not JSON: see ${locateError(error, text)}.`);
  }
  // Of a member that is there twice, the parser keeps the last.
  if (countMembers(value) === members) return value;
  throw bodyError("repeated_member", "An object has a member twice; send it once.");
}

function bodyError(code: string, detail: string): Refusal {
  return invalidRequestError([{ path: [], code, detail }], { isTruncated: true });
}

function decodeText(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new Refusal("malformed_request", details.malformed_request);
  }
}

/** Position of the fault, from the parser's error; the end of the text if it names none. */
function locateError(error: unknown, text: string): string {
  const [, position] = /at position (\d+)/.exec(error instanceof Error ? error.message : "") ?? [];
  const lines = text.slice(0, Number(position ?? text.length)).split("\n");
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
/** Each begins a value, but for those of empty arrays and objects. */
const [comma, bracket, brace] = [0x2c, 0x5b, 0x7b];

/** Most values, and the members among them, counted before they are parsed: a megabyte of values takes a tenth of a second. */
function countTokens(body: Uint8Array): { readonly values: number; readonly members: number } {
  let values = 0;
  let members = 0;
  let isInString = false;
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === backslash) index += 1;
    else if (byte === quote) isInString = !isInString;
    else if (isInString) continue;
    else if (byte === colon) members += 1;
    else if (byte === comma || byte === bracket || byte === brace) values += 1;
  }
  return { values, members };
}

/** Without recursion: a body may be nested as deeply as it is long. */
function countMembers(value: JsonValue): number {
  const open = [value];
  let count = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue;
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === "object") open.push(item);
      continue;
    }
    // Without a copy of the values: each request is counted.
    for (const name in next) {
      count += 1;
      const member = next[name];
      if (member !== undefined && typeof member === "object") open.push(member);
    }
  }
  return count;
}

const emptyBody = Buffer.alloc(0);
/** A body reserves its bytes when so many of them have arrived, and others have not. */
const quickBytes = 64 << 10;
const maxChunks = 64;

/**
 * The whole body; empty without one. The server's request timeout limits how long it takes.
 * Throws `payload_too_large`, `unavailable` (it arrives slowly, and others need the memory), and CallerGone.
 */
export function readBody(request: IncomingMessage, limits: ReadLimits, bodies: ArrivingMessages): Promise<Buffer> {
  const { maxBytes } = limits;
  const total = Number(request.headers["content-length"] ?? Number.POSITIVE_INFINITY);
  if (isWithoutBody(request)) return Promise.resolve(emptyBody);
  if (Number.isFinite(total) && total > maxBytes) return Promise.reject(tooLargeError(maxBytes));
  // The caller may have left during authentication.
  if (request.destroyed) return Promise.reject(new CallerGone());
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let receivedBytes = 0;
    // Nearly all bodies arrive whole.
    let arriving: ArrivingMessage | undefined;
    const end = () => {
      arriving?.end();
      request.off("data", add).off("end", finish).off("close", onClose);
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const add = (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > maxBytes) return fail(tooLargeError(maxBytes));
      chunks.push(chunk);
      if (receivedBytes >= total) return;
      arriving ??= bodies.begin(limits, Math.min(total, maxBytes), fail);
      if (receivedBytes > quickBytes) arriving.reserve();
      // A body may arrive byte by byte, and each chunk takes some kilobytes.
      if (chunks.length >= maxChunks) chunks = [Buffer.concat(chunks)];
    };
    const finish = () => {
      end();
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    };
    const onClose = () => fail(new CallerGone());
    request.on("data", add).once("end", finish).once("close", onClose);
  });
}

function tooLargeError(maxBytes: number): Refusal {
  return new Refusal("payload_too_large", `The body of this request has at most ${maxBytes} bytes.`);
}
