// Unary calls of the Connect protocol: the body is the message, and an error is JSON under an HTTP status.
import type { IncomingMessage } from "node:http";
import { codeToHttpStatus, errorToJsonBytes, parseTimeout } from "@connectrpc/connect/protocol-connect";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { readBody } from "../http/bodies/read-body.ts";
import { toConnectError } from "../wire/connect-error.ts";
import { pack, unpack } from "./gzip.ts";
import { type Coding, decodeMessage, encodeMessage, headerOf, packingOf, type Wire } from "./wire.ts";

/** The wire of a request in this coding. */
export function connectWire(request: IncomingMessage, coding: Coding): Wire {
  const type = `application/${coding}`;
  return {
    timeoutMs() {
      const { timeoutMs, error } = parseTimeout(
        headerOf(request, "connect-timeout-ms") ?? null,
        Number.POSITIVE_INFINITY,
      );
      if (error !== undefined) throw new Refusal("malformed_request", "Connect-Timeout-Ms is not a number.");
      return timeoutMs;
    },

    async read(method, limits, budget) {
      const packing = packingOf(headerOf(request, "content-encoding"));
      const body = await readBody(request, limits, budget);
      return decodeMessage(method, coding, await unpack(body, packing, limits));
    },

    async respond(rpc, message) {
      const body = encodeMessage(rpc, coding, message);
      const packed = await pack(body, headerOf(request, "accept-encoding"));
      if (packed === undefined) return { status: 200, headers: { "content-type": type }, body };
      return { status: 200, headers: { "content-type": type, "content-encoding": "gzip" }, body: packed };
    },

    refuse(refusal) {
      const error = toConnectError(refusal);
      const body = errorToJsonBytes(error, undefined);
      return { status: codeToHttpStatus(error.code), headers: { "content-type": "application/json" }, body };
    },
  };
}
