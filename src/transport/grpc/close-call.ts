// Ending streams of the gRPC port for good. A status alone leaves the HTTP/2 stream open to its sender, and grpc-js would
// read on, without end.
import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type * as grpc from "@grpc/grpc-js";

/** How long a stream stays open whose call is over, and how much it still takes. */
const lingerMs = 1_000;
const lingerBytes = 64 * 1024;

/** A call as interceptors are given it. */
export type InterceptingCall = Parameters<grpc.ServerInterceptor>[1];

/** The stream of a call that no interceptor has wrapped yet. It has no public name. */
export function http2StreamOf(call: InterceptingCall): ServerHttp2Stream {
  return (call as InterceptingCall & { readonly stream: ServerHttp2Stream }).stream;
}

/** Answers a stream of which nothing was answered yet, with a status alone. */
export function refuse(stream: ServerHttp2Stream, { code, details, metadata }: grpc.StatusObject): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  const status = { "grpc-status": code, "grpc-message": encodeURI(details) };
  const more = metadata.toHttp2Headers() as OutgoingHttpHeaders;
  const head = { ":status": 200, "content-type": "application/grpc+proto" };
  stream.respond({ ...head, ...status, ...more }, { endStream: true });
}

/** Ends a stream: with a status if nothing was answered yet, else without. */
export function endWith(stream: ServerHttp2Stream, status: grpc.StatusObject): void {
  if (stream.headersSent) {
    abandon(stream);
  } else {
    refuse(stream, status);
    stream.close(constants.NGHTTP2_NO_ERROR);
  }
}

/**
 * Ends a stream at once, and lets go of what its caller has not taken. Closed without an error it would wait for that.
 */
export function abandon(stream: ServerHttp2Stream): void {
  stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
}

/** Ends a call with a status that reaches all but those who have not taken what was sent before. */
export function cut(call: InterceptingCall, status: grpc.StatusObject): void {
  const stream = http2StreamOf(call);
  if (stream.writableLength > 0) {
    abandon(stream);
    return;
  }
  call.sendStatus(status);
  // After an answer the status is sent in a moment only: a stream that is closed until then hangs Node.
  if (stream.headersSent && !stream.writableFinished) stream.once("finish", () => leaveUnread(stream));
  else stream.close(constants.NGHTTP2_NO_ERROR);
}

/**
 * Leaves a stream whose status was sent before its message was read. What its client had sent already is thrown away; one
 * that goes on sending is cut off. The stream is not closed at once, since HTTP/2 counts senseless frames of open
 * streams only, and a client that is done closes it by itself.
 */
export function leaveUnread(stream: ServerHttp2Stream): void {
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
