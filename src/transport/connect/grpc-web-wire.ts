// Unary calls of gRPC-Web: messages in envelopes, and the status in an envelope of its own behind them.
import type { IncomingMessage } from "node:http";
import { compressedFlag, encodeEnvelope } from "@connectrpc/connect/protocol";
import {
  grpcStatusOk,
  parseTimeout,
  setTrailerStatus,
  trailerFlag,
  trailerSerialize,
} from "@connectrpc/connect/protocol-grpc-web";
import type { ReadLimits } from "../../kernel/calls/core.ts";
import { Refusal } from "../../kernel/errors/refusal.ts";
import { withinLimits } from "../grpc/status.ts";
import { readBody } from "../http/bodies/read-body.ts";
import { toConnectError } from "../wire/connect-error.ts";
import { pack, unpack } from "./gzip.ts";
import { type Coding, decodeMessage, encodeMessage, headerOf, packingOf, type Wire } from "./wire.ts";

/** Bytes before a message: flags, and its length. */
const prefixBytes = 5;

/** The wire of a request in this coding. */
export function grpcWebWire(request: IncomingMessage, coding: Coding): Wire {
  const type = `application/grpc-web+${coding}`;
  return {
    timeoutMs() {
      const { timeoutMs, error } = parseTimeout(headerOf(request, "grpc-timeout") ?? null, Number.POSITIVE_INFINITY);
      if (error !== undefined) throw new Refusal("malformed_request", "grpc-timeout is not a time.");
      return timeoutMs;
    },

    async read(method, limits, budget) {
      const encoding = headerOf(request, "grpc-encoding");
      const body = await readBody(request, { ...limits, maxBytes: limits.maxBytes + prefixBytes }, budget);
      return decodeMessage(method, coding, await openEnvelope(body, encoding, limits));
    },

    async respond(rpc, message) {
      const bytes = encodeMessage(rpc, coding, message);
      const packed = await pack(bytes, headerOf(request, "grpc-accept-encoding"));
      const envelope = encodeEnvelope(packed === undefined ? 0 : compressedFlag, packed ?? bytes);
      const headers = { "content-type": type, ...(packed === undefined ? {} : { "grpc-encoding": "gzip" }) };
      return { status: 200, headers, body: Buffer.concat([envelope, okTrailer]) };
    },

    refuse(refusal) {
      const trailer = new Headers();
      setTrailerStatus(trailer, withinLimits(toConnectError(refusal)));
      const body = encodeEnvelope(trailerFlag, trailerSerialize(trailer));
      return { status: 200, headers: { "content-type": type }, body };
    },
  };
}

const okTrailer = encodeEnvelope(trailerFlag, trailerSerialize(new Headers({ "grpc-status": grpcStatusOk })));

async function openEnvelope(body: Buffer, encoding: string | undefined, limits: ReadLimits): Promise<Buffer> {
  const isWhole = body.length >= prefixBytes && body.readUInt32BE(1) === body.length - prefixBytes;
  if (!isWhole) throw new Refusal("malformed_request", "The body is not one message in its envelope.");
  const isPacked = ((body[0] ?? 0) & compressedFlag) !== 0;
  return unpack(body.subarray(prefixBytes), isPacked ? packingOf(encoding ?? "identity") : "identity", limits);
}
