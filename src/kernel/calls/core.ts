// What the transports hold: the core, in this process or another. A transport says who asks for what, and hands over a
// function that reads the message; the core pulls the message once it knows the caller.
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Caller } from "../limits/caller.ts";
import type { RequestTrace, Transport } from "../telemetry.ts";
import type { Sender } from "./body-budget.ts";

/** Where a call comes from. */
export interface CallOrigin {
  readonly transport: Transport;
  /** The caller's network address. */
  readonly address: string;
  /** Names the request in logs and responses. */
  readonly requestId: string;
  /** W3C trace context as received. */
  readonly traceparent: string | undefined;
  /** The same of its state: to be used of callers who are believed only. */
  readonly tracestate?: string | undefined;
  /** Where the request's own span is; undefined where calls have spans and not requests. */
  readonly trace?: RequestTrace | undefined;
  /**
   * Whether a gateway passes the call on that has counted the request against its limits, by Introspect. Only a client
   * with the scope `gateway` is trusted so.
   */
  readonly isTrusted: boolean;
}

/** State of the client's rate limit after a request. */
export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly reset: number;
  /** Length of the window in seconds. */
  readonly window: number;
}

/** How much of a message may be read, and whose share of what arrives at a time it takes. */
export interface ReadLimits {
  /** Most bytes, unpacked. */
  readonly maxBytes: number;
  readonly sender: Sender;
}

/** One call, as a transport hands it over. */
export interface IncomingCall<M extends DescMethodUnary = DescMethodUnary> {
  readonly method: M;
  readonly origin: CallOrigin;
  /** Milliseconds that the caller grants; undefined if it does not say. */
  readonly timeoutMs?: number | undefined;
  /** The metadata of that name, in lower case. */
  header(name: string): string | undefined;
  /**
   * Reads the message: once at most, and not before the caller is known and may make the call. Throws a Refusal, or
   * CallerGone.
   */
  read(limits: ReadLimits): MessageInitShape<M["input"]> | Promise<MessageInitShape<M["input"]>>;
  /** Notified of which client calls, once that is known. */
  onCaller?(caller: Caller): void;
  /** Notified of the client's rate limit when the request was counted. */
  onQuota?(quota: QuotaState): void;
  /** Notified of how long the call waited for something to happen, each time that it did. */
  onWaited?(seconds: number): void;
  /** Notified that the call reaches test data only. */
  onTestData?(): void;
}

export interface Core {
  /** Makes the call. Throws a Refusal, or what `read` threw. */
  call<M extends DescMethodUnary>(incoming: IncomingCall<M>): Promise<MessageShape<M["output"]>>;
  /**
   * Whether this process works on calls of any transport, but for those of exports. Absent where the core is in another
   * one.
   */
  isServing?(): boolean;
}

/** Most bytes of a message. */
export const maxMessageBytes = 1 << 20;
/** Most bytes of a message that is read before the caller has shown a partner's token. */
export const maxUnknownMessageBytes = 64 * 1024;

/** Whether calls of a scope are made with the token of a browser session, which is for one session. */
export function isBrowserScope(scope: string): boolean {
  return scope === "hosted" || scope === "report-visit";
}

/** Most bytes of the message of an rpc. @param scope that the rpc requires */
export function maxBytesOf(scope: string): number {
  return scope === "none" || isBrowserScope(scope) ? maxUnknownMessageBytes : maxMessageBytes;
}

/** Names of the metadata, and headers, that carry meaning here. */
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
