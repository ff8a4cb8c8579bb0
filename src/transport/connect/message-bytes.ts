// The bytes of a message on their way into the library: counted while they arrive, and held to the bounds of messages
// before they are decoded, packed or not.

import { AsyncLocalStorage } from "node:async_hooks";
import { isUtf8 } from "node:buffer";
import type { IncomingMessage } from "node:http";
import type { DescMessage } from "@bufbuild/protobuf";
import { base64Decode } from "@bufbuild/protobuf/wire";
import { compressedFlag } from "@connectrpc/connect/protocol";
import { compressionGzip } from "@connectrpc/connect-node";
import type { BodyBudget } from "../../kernel/calls/body-budget.ts";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { details } from "../../kernel/errors/details.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { checkFieldCount, refusalOfDecoding } from "../grpc/decode.ts";
import { boundJson } from "../http/bodies/json-body.ts";
import { readBody } from "../http/bodies/read-body.ts";
import { carrierOf } from "./refused-call.ts";
import type { RequestForm } from "./request-form.ts";

/** Bytes before a message of gRPC-Web: flags, and its length. */
const prefixBytes = 5;

/** A message that a request declares. */
export interface DeclaredMessage {
  readonly form: RequestForm;
  readonly schema: DescMessage;
}

/** What arrives in the request that is served: the library does not tell its compressions. */
export const arriving = new AsyncLocalStorage<DeclaredMessage>();

/** Packs and unpacks with gzip. What would unpack to more than the limit is unpacked no further. */
export const gzip: typeof compressionGzip = {
  ...compressionGzip,
  async decompress(packed, maxBytes) {
    const bytes = await compressionGzip.decompress(packed, maxBytes);
    const declared = arriving.getStore();
    if (declared === undefined) throw new Error("a message that no request declares");
    return carried(() => checkMessage(declared, bytes));
  },
};

/**
 * The body of a request, as the library reads it. Throws refusals in its words.
 * @param limitsOf asked when the first byte is: the pipeline knows the caller by then
 */
export async function* messageBody(
  request: IncomingMessage,
  declared: DeclaredMessage,
  limitsOf: () => ReadLimits,
  budget: BodyBudget,
): AsyncGenerator<Uint8Array> {
  const { form } = declared;
  yield await carried(async () => {
    const limits = limitsOf();
    if (form.protocol === "connect") {
      const body = await readBody(request, limits, budget);
      return form.packing === "gzip" ? body : checkMessage(declared, body);
    }
    const body = await readBody(request, { ...limits, maxBytes: limits.maxBytes + prefixBytes }, budget);
    const isWhole = body.length >= prefixBytes && body.readUInt32BE(1) === body.length - prefixBytes;
    if (!isWhole) throw new Refusal("malformed_request", "The body is not one message in its envelope.");
    const isPacked = ((body[0] ?? 0) & compressedFlag) !== 0;
    if (!isPacked) checkMessage(declared, body.subarray(prefixBytes));
    return body;
  });
}

/** Holds the message in the query of a GET request to the bounds. Throws Refusals. */
export function checkQuery(declared: DeclaredMessage): void {
  const { query, packing } = declared.form;
  if (query === undefined) return;
  const text = query.get("message") ?? "";
  const bytes = query.get("base64") === "1" ? fromBase64(text) : Buffer.from(text);
  if (packing !== "gzip") checkMessage(declared, bytes);
}

function checkMessage<T extends Uint8Array>({ form, schema }: DeclaredMessage, bytes: T): T {
  if (form.coding === "json") {
    if (!isUtf8(bytes)) throw new Refusal("malformed_request", details.malformed_request);
    boundJson(bytes);
    return bytes;
  }
  try {
    checkFieldCount(schema, bytes);
  } catch (error) {
    throw refusalOfDecoding(error, schema);
  }
  return bytes;
}

function fromBase64(text: string): Uint8Array {
  try {
    return base64Decode(text);
  } catch {
    throw new Refusal("malformed_request", "The message in the query is not base64.");
  }
}

/** Does work, and throws its refusals so that they pass through the library. */
async function carried<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw carrierOf(error);
  }
}
