// Names of the metadata, and headers, that carry meaning here.

export const metadata = {
  /** `Bearer` and an access token. */
  authorization: "authorization",
  /** The partner that an internal client acts for. */
  partnerId: "partner-id",
  requestId: "x-request-id",
  /** `true` in responses to callers that reach the data of a test twin, and nothing else. */
  testData: "test-data",
  traceparent: "traceparent",
  tracestate: "tracestate",
  /** `Bearer` and the access token of a gateway that passes a caller's request on. */
  gatewayAuthorization: "gateway-authorization",
  /** The caller's address as a gateway saw it. */
  callerAddress: "caller-address",
  /** The transport at which the caller came to the gateway: `rest` or `web`. */
  callerTransport: "caller-door",
  /** Of a response to a gateway: milliseconds that the call waited for something to happen. */
  waitedMs: "waited-ms",
} as const;

/** A request id that a caller may choose. */
const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's request id if it is an acceptable one, else a new one. */
export function requestIdOf(given: string | null | undefined): string {
  return given != null && requestIdPattern.test(given) ? given : crypto.randomUUID();
}

/** Version 00 of the W3C's Trace Context. Ids of zeros name nothing. */
const traceparentPattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Most characters of a tracestate that are read. */
const maxTracestate = 512;

/** The trace that a call belongs to; undefined if the text names none, so that logs repeat no text of strangers. */
export function traceparentOf(given: string | null | undefined): string | undefined {
  return given != null && traceparentPattern.test(given) ? given : undefined;
}

/** What the systems behind a trace say of it; undefined for more than they may say. */
export function tracestateOf(given: string | null | undefined): string | undefined {
  return given != null && given.length <= maxTracestate ? given : undefined;
}

/** The trace that a `traceparent` names. */
export function traceIdOf(traceparent: string | undefined): string | undefined {
  return traceparent?.slice(3, 35);
}

/** The token of an `Authorization` value. Undefined unless the scheme is Bearer. */
export function bearerToken(authorization: string | null | undefined): string | undefined {
  return /^Bearer +([^ ]+) *$/i.exec(authorization ?? "")?.[1];
}
