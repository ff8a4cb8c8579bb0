// The form of a Connect or gRPC-Web request: encoding, compression, timeout.
import type { IncomingMessage } from "node:http";
import {
  parseTimeout as parseConnectTimeout,
  parseContentType as parseConnectType,
} from "@connectrpc/connect/protocol-connect";
import {
  parseTimeout as parseGrpcWebTimeout,
  parseContentType as parseGrpcWebType,
} from "@connectrpc/connect/protocol-grpc-web";

export interface MessageForm {
  readonly isGrpcWeb: boolean;
  readonly isJson: boolean;
  /** The compression of the message, for example `gzip`, or `identity`. */
  readonly packing: string;
  /** The query of a GET request; undefined for a POST request. */
  readonly query: URLSearchParams | undefined;
}

/** The form of a request; undefined for types that are not served. */
export function messageForm({ method, url = "", headers }: IncomingMessage): MessageForm | undefined {
  if (method === "GET") {
    const query = new URL(url, "http://localhost").searchParams;
    const coding = query.get("encoding");
    if (coding !== "json" && coding !== "proto") return undefined;
    return { isGrpcWeb: false, isJson: coding === "json", packing: query.get("compression") ?? "identity", query };
  }
  const contentType = headers["content-type"] ?? null;
  const connect = parseConnectType(contentType);
  const grpcWeb = parseGrpcWebType(contentType);
  const type = connect?.stream === true || grpcWeb?.text === true ? undefined : (connect ?? grpcWeb);
  if (type === undefined) return undefined;
  const packing = headers[connect === undefined ? "grpc-encoding" : "content-encoding"]?.toString() ?? "identity";
  return { isGrpcWeb: connect === undefined, isJson: !type.binary, packing, query: undefined };
}

/**
 * Removes the caller's timeout from the headers: the pipeline enforces it, and a timer of the library would overflow after
 * 24 days.
 * @returns milliseconds; undefined if the caller sends none; NaN if it is invalid
 */
export function takeTimeout({ headers }: IncomingMessage, { isGrpcWeb }: MessageForm): number | undefined {
  const name = isGrpcWeb ? "grpc-timeout" : "connect-timeout-ms";
  const parse = isGrpcWeb ? parseGrpcWebTimeout : parseConnectTimeout;
  const { timeoutMs, error } = parse(headers[name]?.toString() ?? null, Number.POSITIVE_INFINITY);
  delete headers[name];
  return error === undefined ? timeoutMs : Number.NaN;
}
