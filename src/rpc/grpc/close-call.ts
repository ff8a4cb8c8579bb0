// Ending a call of grpc-js for good. A status alone leaves the HTTP/2 stream open to its sender, and keeps what was
// received of its message.
import { constants, type ServerHttp2Stream } from "node:http2";
import * as grpc from "@grpc/grpc-js";

/** A call as interceptors are given it. */
export type InterceptingCall = Parameters<grpc.ServerInterceptor>[1];

/** The stream of a call that no interceptor has wrapped yet. It has no public name. */
export function http2StreamOf(call: InterceptingCall): ServerHttp2Stream {
  return (call as InterceptingCall & { readonly stream: ServerHttp2Stream }).stream;
}

/** Sends a status and closes the stream; what its client sends on is not read. */
export function cut(call: InterceptingCall, code: grpc.status, details: string): void {
  call.sendStatus({ code, details, metadata: new grpc.Metadata() });
  http2StreamOf(call).close(constants.NGHTTP2_NO_ERROR);
}
