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

export interface RequestForm {
  readonly protocol: "connect" | "grpc-web";
  readonly coding: "proto" | "json";
  /** How the message is packed, for example `gzip`; undefined or `identity`: not at all. */
  readonly packing: string | undefined;
  /** What the query of a GET request says; undefined for a POST request. */
  readonly query: URLSearchParams | undefined;
}

/** The form of a request; undefined for types that are not served. */
export function requestForm({ method, url = "", headers }: IncomingMessage): RequestForm | undefined {
  if (method === "GET") {
    const query = new URL(url, "http://localhost").searchParams;
    const coding = query.get("encoding");
    if (coding !== "json" && coding !== "proto") return undefined;
    return { protocol: "connect", coding, packing: query.get("compression") ?? undefined, query };
  }
  const contentType = headers["content-type"] ?? null;
  const connect = parseConnectType(contentType);
  if (connect !== undefined) {
    if (connect.stream) return undefined;
    const packing = headers["content-encoding"];
    return { protocol: "connect", coding: codingOf(connect), packing, query: undefined };
  }
  const grpcWeb = parseGrpcWebType(contentType);
  if (grpcWeb === undefined || grpcWeb.text) return undefined;
  const packing = headers["grpc-encoding"]?.toString();
  return { protocol: "grpc-web", coding: codingOf(grpcWeb), packing, query: undefined };
}

/**
 * Takes the caller's timeout out of the headers: the pipeline keeps that time. The library would answer without our
 * details when it is over, and a timer of Node's overflows after 24 days.
 * @returns milliseconds; undefined if the caller does not say; NaN for a text that is no time
 */
export function takeTimeout({ headers }: IncomingMessage, { protocol }: RequestForm): number | undefined {
  const name = protocol === "connect" ? "connect-timeout-ms" : "grpc-timeout";
  const parse = protocol === "connect" ? parseConnectTimeout : parseGrpcWebTimeout;
  const text = headers[name]?.toString() ?? null;
  delete headers[name];
  const { timeoutMs, error } = parse(text, Number.POSITIVE_INFINITY);
  return error === undefined ? timeoutMs : Number.NaN;
}

function codingOf({ binary }: { readonly binary: boolean }): RequestForm["coding"] {
  return binary ? "proto" : "json";
}
