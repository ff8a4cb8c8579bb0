// Calls that a core has not begun because it ends their connection: they are made again over another one.
import { ConnectError, type Interceptor } from "@connectrpc/connect";

/** A core refuses no call three times, unless it ends connections faster than they are made. */
const maxTries = 3;

/**
 * An interceptor of the transport that makes a call again whose stream was refused. That is safe for every call: nothing
 * of a refused stream was looked at (RFC 9113 section 8.7).
 */
export const retryRefusedStreams: Interceptor = (next) => async (request) => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await next(request);
    } catch (error) {
      if (tries === maxTries || !isRefusedStream(error)) throw error;
    }
  }
};

/** Node tells the code of a stream in the message of its error only. */
function isRefusedStream(error: unknown): boolean {
  const cause = error instanceof ConnectError ? error.cause : undefined;
  if (!(cause instanceof Error) || !("code" in cause)) return false;
  return cause.code === "ERR_HTTP2_STREAM_ERROR" && cause.message.endsWith("NGHTTP2_REFUSED_STREAM");
}
