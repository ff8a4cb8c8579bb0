// The interface between transports and the core, in this process or another. The core admits a call by its metadata; then
// the transport reads the message, and the core runs the call.
import { isIPv6 } from "node:net";
import type { DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import ipaddr from "ipaddr.js";
import { type CallerGone, findViolation, Refusal, toOutcome } from "../errors/refusal.ts";
import { toPartnerId } from "../ids.ts";
import type { CallEvent, CallSpan, SpanStart, Transport } from "../telemetry.ts";

/** The key under which limits count a caller: the partner first, then its client. Without a token it is the network. */
export interface Caller {
  readonly partner: string;
  /** A client of the partner, or a session that a person answers. */
  readonly client: string;
}

/** A client of a partner. A test twin counts as its partner. */
export function toCaller(partnerId: string, clientId: string): Caller {
  return { partner: toPartnerId(partnerId) ?? partnerId, client: clientId };
}

/** A caller of whom only the network address is known. */
export function toNetworkCaller(address: string): Caller {
  const network = toNetwork(address);
  return { partner: network, client: network };
}

/** The sender of a message or connection, as far as it is known. */
export interface Sender {
  /** Undefined: unknown. */
  readonly caller: Caller | undefined;
  /** Network address. */
  readonly address: string;
}

/** Whose limits a sender counts against. */
export function toLimitKey({ caller, address }: Sender): Caller {
  return caller ?? toNetworkCaller(address);
}

const prefixGroups = 4;

/**
 * The network of an address: an IPv4 address itself, or the first 64 bits of an IPv6 address, since a single machine has
 * all the rest. Other texts are returned unchanged.
 */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const parsedAddress = ipaddr.IPv6.parse(address);
  if (parsedAddress.isIPv4MappedAddress()) return parsedAddress.toIPv4Address().toString();
  const prefix = parsedAddress.parts.slice(0, prefixGroups);
  return `${prefix.map((group) => group.toString(16)).join(":")}::/64`;
}

/** The origin of a call. */
export interface CallOrigin {
  readonly transport: Transport;
  /** The caller's network address. */
  readonly address: string;
  /** Names the request in logs and responses. */
  readonly requestId: string;
  /** W3C trace context as received. */
  readonly traceparent: string | undefined;
  /**
   * Whether a gateway that has counted the request against its limits, by Introspect, forwards the call. Only a client
   * with the scope `gateway` is trusted with that.
   */
  readonly isTrusted: boolean;
}

/** The origin of a call that this process itself makes. @param isTrusted whether no rate limit counts it */
export function createInternalOrigin(requestId: string, isTrusted: boolean): CallOrigin {
  return { transport: "internal", address: "", requestId, traceparent: undefined, isTrusted };
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

/** The sender of a message, and the limit of its size. */
export interface ReadLimits extends Sender {
  /** Most bytes, decompressed. */
  readonly maxBytes: number;
}

/** Facts that the core learns of a call, also of one that it refuses. */
export class CallContext {
  /** The client; undefined until it is known. */
  caller: Caller | undefined = undefined;
  /** The client's rate limit; undefined until the request is counted. */
  quota: QuotaState | undefined = undefined;
  /** Whether the call reaches test data only. */
  isTestData = false;
}

/** A call as a transport knows it before its message. */
export interface CallHead {
  readonly origin: CallOrigin;
  /** The caller's timeout in milliseconds; undefined if it sends none. */
  readonly timeoutMs?: number | undefined;
  /** The core fills it in. */
  readonly context: CallContext;
  /** The metadata of a name, in lower case. */
  header(name: string): string | undefined;
}

/** A call that is allowed. The transport calls `run`, and `end` if `run` fails; `end` alone if it cannot read the message. */
export interface AdmittedCall<M extends DescMethodUnary = DescMethodUnary> extends ReadLimits {
  /** Runs the call. Throws the error to end it with. */
  run(message: MessageInitShape<M["input"]>): Promise<MessageShape<M["output"]>>;
  /**
   * Ends a call whose message cannot be read, or whose run has failed.
   * @returns the error to send: a Refusal, or CallerGone
   */
  end(error: unknown): Error;
}

export interface Core {
  /** Admits a call before its message is read. Throws a Refusal. */
  admit<M extends DescMethodUnary>(method: M, head: CallHead): Promise<AdmittedCall<M>>;
}

/** Makes the message of a call that is admitted. */
export type ReadMessage<M extends DescMethodUnary> = (
  limits: ReadLimits,
) => MessageInitShape<M["input"]> | Promise<MessageInitShape<M["input"]>>;

/** Makes a call, whose message is read once it is admitted. Throws a Refusal, or CallerGone. */
export async function makeCall<M extends DescMethodUnary>(
  core: Core,
  method: M,
  head: CallHead,
  read: ReadMessage<M>,
): Promise<MessageShape<M["output"]>> {
  const call = await core.admit(method, head);
  try {
    return await call.run(await read(call));
  } catch (error) {
    throw call.end(error);
  }
}

/** A call as it is reported. */
export interface ReportedCall {
  readonly method: DescMethodUnary;
  /** As its transport reports it, or a trusted gateway. */
  readonly origin: CallOrigin;
  /** The client; undefined if it is not known. */
  readonly principal: { readonly clientId: string; readonly partnerId: string } | undefined;
  /** Milliseconds of a monotonic clock. */
  readonly startedAt: number;
  /** Undefined if the call is not recorded. */
  readonly span: CallSpan | undefined;
}

/** A call as the beginning of a span. */
export function toSpanStart({ method, startedAt, origin }: Omit<ReportedCall, "principal" | "span">): SpanStart {
  return { name: `${method.parent.typeName}/${method.name}`, startedAt, traceparent: origin.traceparent };
}

/** The event of a call that has ended. @param error that it ended with; undefined for a success. @param now by the same clock */
export function toCallEvent(call: ReportedCall, error: Refusal | CallerGone | undefined, now: number): CallEvent {
  const { method, origin, principal, startedAt, span } = call;
  const { transport, requestId, traceparent } = origin;
  return {
    rpc: `${method.parent.name}/${method.name}`,
    transport,
    requestId,
    traceparent,
    span,
    clientId: principal?.clientId,
    partnerId: principal?.partnerId,
    outcome: error === undefined ? "ok" : toOutcome(error),
    violation: error && findViolation(error),
    seconds: (now - startedAt) / 1000,
    cause: error instanceof Refusal ? error.cause : undefined,
  };
}

/** Most bytes of a message. */
export const maxMessageBytes = 1 << 20;
/** Most bytes of a message that is read without a partner's token. */
export const maxUnknownMessageBytes = 64 * 1024;

/** Whether rpcs of a scope take the token of a browser session, which reaches one session. */
export function isBrowserScope(scope: string): boolean {
  return scope === "hosted" || scope === "report";
}

/** Most bytes of the message of an rpc. @param scope of the rpc */
export function getMessageLimit(scope: string): number {
  return scope === "none" || isBrowserScope(scope) ? maxUnknownMessageBytes : maxMessageBytes;
}

/** Names of the metadata, or headers, that the service reads or writes. */
export const headerNames = {
  /** `Bearer` and an access token. */
  authorization: "authorization",
  /** The partner that an internal client acts for. */
  partnerId: "partner-id",
  requestId: "x-request-id",
  /** `true` in responses to callers that reach the data of a test twin only. */
  testData: "test-data",
  traceparent: "traceparent",
  /** `Bearer` and the access token of a gateway that forwards a caller's request. */
  gatewayAuthorization: "gateway-authorization",
  /** The caller's address as a gateway saw it. */
  callerAddress: "caller-address",
  /** The transport at which the caller came to the gateway: `rest` or `web`. */
  callerTransport: "caller-transport",
} as const;

/** A request id that a caller may choose. */
const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's request id if it is valid, else a new one. */
export function toRequestId(header: string | null | undefined): string {
  return header != null && requestIdPattern.test(header) ? header : crypto.randomUUID();
}

/** Version 00 of W3C Trace Context. Ids of zeros are invalid. */
const traceparentPattern = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The trace of a call; undefined if the text is invalid, so that logs repeat no text of unauthenticated callers. */
export function parseTraceparent(header: string | null | undefined): string | undefined {
  return header != null && traceparentPattern.test(header) ? header : undefined;
}

/** The trace that a `traceparent` names. */
export function readTraceId(traceparent: string | undefined): string | undefined {
  return traceparent?.slice(3, 35);
}

/** The token of an `Authorization` value. Undefined unless the scheme is Bearer. */
export function parseBearerToken(authorization: string | null | undefined): string | undefined {
  return /^Bearer +([^ ]+) *$/i.exec(authorization ?? "")?.[1];
}
