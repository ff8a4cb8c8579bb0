// Requests that a well-behaved client would not send, over connections that are kept.
import { once } from "node:events";
import { type Agent, request as httpRequest } from "node:http";
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from "node:http2";

export interface WorstRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Made when it is sent: the bodies of a run together are more than memory holds. */
  readonly body?: () => Uint8Array;
}

/** Sends a request; resolves when it was answered, with the status over HTTP or gRPC, or cut off. */
export type Send = (request: WorstRequest) => Promise<number | undefined>;

/** Over HTTP/1.1. */
export function overHttp(httpUrl: string, agent: Agent): Send {
  return ({ method, path, headers, body }) =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(httpUrl);
      const request = httpRequest({ hostname, port, method, path, headers, agent });
      request.on("error", () => resolve(undefined));
      request.on("response", (response) => response.resume().once("close", () => resolve(response.statusCode)));
      request.end(body?.());
    });
}

/** Over HTTP/2 without TLS; a connection that the service ends is followed by another one. */
export function overHttp2(address: string): Send & { close(): void } {
  let session: ClientHttp2Session | undefined;
  const connection = async () => {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(`http://${address}`).on("error", () => undefined);
      await once(session, "connect");
    }
    return session;
  };
  const send: Send = async ({ method, path, headers, body }) => {
    const { HTTP2_HEADER_METHOD, HTTP2_HEADER_PATH } = constants;
    const open = await connection();
    const stream = open.request({
      [HTTP2_HEADER_METHOD]: method,
      [HTTP2_HEADER_PATH]: path,
      te: "trailers",
      ...headers,
    });
    stream.on("error", () => undefined).resume();
    let status: number | undefined;
    const look = (fields: IncomingHttpHeaders) => {
      status = Number(fields["grpc-status"] ?? status);
    };
    stream.on("response", look).on("trailers", look);
    const closing = new Promise((resolve) => stream.once("close", resolve));
    stream.end(body?.());
    await closing;
    return status;
  };
  return Object.assign(send, { close: () => session?.destroy() });
}

/** A message as gRPC and gRPC-Web frame it. */
export function enveloped(message: Uint8Array, isPacked = false): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt8(isPacked ? 1 : 0);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
