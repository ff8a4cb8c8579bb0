// Names of the metadata, and headers, that carry meaning here.

export const metadata = {
  /** `Bearer` and an access token. */
  authorization: "authorization",
  /** The partner that an internal client acts for. */
  partnerId: "partner-id",
  requestId: "x-request-id",
  traceparent: "traceparent",
  /** `Bearer` and the access token of a gateway that passes a caller's request on. */
  gatewayAuthorization: "gateway-authorization",
  /** The caller's address as a gateway saw it. */
  callerAddress: "caller-address",
} as const;

/** A request id that a caller may choose. */
const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's request id if it is an acceptable one, else a new one. */
export function requestIdOf(given: string | null | undefined): string {
  return given != null && requestIdPattern.test(given) ? given : crypto.randomUUID();
}

/** The token of an `Authorization` value; undefined where it is none of the Bearer scheme. */
export function bearerToken(authorization: string | null | undefined): string | undefined {
  return /^Bearer +([^ ]+) *$/i.exec(authorization ?? "")?.[1];
}
