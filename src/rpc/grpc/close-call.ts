// Ending a call of grpc-js for good. A status alone leaves the HTTP/2 stream open to its sender, and grpc-js would read
// on, without end.
import { constants, type ServerHttp2Stream } from "node:http2";
import * as grpc from "@grpc/grpc-js";

/** How long a stream stays open whose call is over. */
const lingerMs = 1_000;

/** A call as interceptors are given it. */
export type InterceptingCall = Parameters<grpc.ServerInterceptor>[1];

/** The stream of a call that no interceptor has wrapped yet. It has no public name. */
export function http2StreamOf(call: InterceptingCall): ServerHttp2Stream {
  return (call as InterceptingCall & { readonly stream: ServerHttp2Stream }).stream;
}

/** Sends a status and closes the stream. */
export function cut(call: InterceptingCall, code: grpc.status, details: string): void {
  call.sendStatus({ code, details, metadata: new grpc.Metadata() });
  http2StreamOf(call).close(constants.NGHTTP2_NO_ERROR);
}

/**
 * Leaves a call whose status was sent before its message was read. A client that has sent everything is done. Another
 * one may send what its window holds, and no more; the stream stays open for a moment, since HTTP/2 counts senseless
 * frames of open streams only.
 */
export function leaveUnread(call: InterceptingCall): void {
  const stream = http2StreamOf(call);
  if (stream.destroyed || stream.state.remoteClose === 1) return;
  stream.pause();
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), lingerMs);
  stream.once("close", () => clearTimeout(timer));
}
