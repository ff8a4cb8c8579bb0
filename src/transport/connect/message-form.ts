// How a request of Connect or gRPC-Web says that its message is written.
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
  /** How the message is packed, for example `gzip`, or `identity`. */
  readonly packing: string;
  /** What the query of a GET request says; undefined for a POST request. */
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
 * Takes the caller's timeout out of the headers: the pipeline keeps that time, and a timer of the library's would overflow
 * after 24 days.
 * @returns milliseconds; undefined if the caller does not say; NaN for a text that is no time
 */
export function takeTimeout({ headers }: IncomingMessage, { isGrpcWeb }: MessageForm): number | undefined {
  const name = isGrpcWeb ? "grpc-timeout" : "connect-timeout-ms";
  const parse = isGrpcWeb ? parseGrpcWebTimeout : parseConnectTimeout;
  const { timeoutMs, error } = parse(headers[name]?.toString() ?? null, Number.POSITIVE_INFINITY);
  delete headers[name];
  return error === undefined ? timeoutMs : Number.NaN;
}
