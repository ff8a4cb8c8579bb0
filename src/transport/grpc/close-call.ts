// Ending a call of grpc-js for good. A status alone leaves the HTTP/2 stream open to its sender, and grpc-js would read
// on, without end.
import { constants, type ServerHttp2Stream } from "node:http2";
import * as grpc from "@grpc/grpc-js";

/** How long a stream stays open whose call is over, and how much it still takes. */
const lingerMs = 1_000;
const lingerBytes = 64 * 1024;

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
 * Leaves a call whose status was sent before its message was read. What its client had sent already is thrown away; one
 * that goes on sending is cut off. The stream is not closed at once, since HTTP/2 counts senseless frames of open
 * streams only, and a client that is done closes it by itself.
 */
export function leaveUnread(call: InterceptingCall): void {
  const stream = http2StreamOf(call);
  if (stream.destroyed || stream.state.remoteClose === 1) return;
  let bytes = 0;
  const close = () => stream.close(constants.NGHTTP2_NO_ERROR);
  const timer = setTimeout(close, lingerMs);
  const stop = () => clearTimeout(timer);
  stream.once("end", stop).once("close", stop);
  stream.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > lingerBytes) close();
  });
}
