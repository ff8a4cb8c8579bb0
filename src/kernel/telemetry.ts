// What is reported of calls and requests, for metrics, the log and traces: the port of telemetry. Nothing in it is secret or
// personal: a route is a template, and no address of a request is told, since it holds external ids.
import type { ErrorCode } from "./errors/error-table.ts";
import type { LoggedViolation, Outcome } from "./errors/refusal.ts";

/** Where a call came in. */
export type Transport = "rest" | "web" | "grpc" | "connect" | "internal";

/** A call that is over. */
export interface CallEvent {
  /** For example `SessionService/CreateSession`. */
  readonly rpc: string;
  readonly transport: Transport;
  readonly requestId: string;
  /** The trace that the caller says it belongs to. */
  readonly traceparent: string | undefined;
  /** Undefined if the call is not recorded. */
  readonly span: CallSpan | undefined;
  readonly clientId: string | undefined;
  readonly partnerId: string | undefined;
  readonly outcome: Outcome;
  /** The first violation of a refused request. */
  readonly violation: LoggedViolation | undefined;
  /** How long it took, without the time that it waited for something to happen. */
  readonly seconds: number;
  /** What went wrong, if the outcome is the service's own fault. */
  readonly cause: unknown;
}

/** A request on the HTTP port that is over. */
export interface RequestEvent {
  /** For example `/v1/:product/sessions`; `none` if the address leads nowhere, or was never read. */
  readonly route: string;
  /** `none` if it was never read. */
  readonly method: string;
  /** Of the response; `gone` if the caller left before it. */
  readonly status: number | "gone";
  readonly requestId: string;
  /** Why the request was refused, if the error table knows it. */
  readonly code: ErrorCode | undefined;
  /** Whether a call of the pipeline, or a defect, was reported under the same request id. */
  readonly isReported: boolean;
  /** From its arrival to the end of the response. */
  readonly seconds: number;
  /** The part of them in which its call waited for something to happen; absent if it did not. */
  readonly waitedSeconds?: number;
  /** The trace that the caller says it belongs to. */
  readonly traceparent?: string | undefined;
  /** Undefined if the request is not recorded. */
  readonly span?: CallSpan | undefined;
}

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** A part of a recorded call. */
export interface ChildSpan {
  /** Names this span as the parent of what it causes elsewhere, by the W3C's Trace Context. */
  readonly traceparent: string;
  readonly tracestate: string | undefined;
  /** @param isError whether it went wrong */
  end(attributes: SpanAttributes, isError: boolean): void;
}

export type SpanKind = "server" | "client" | "internal";

/** A call that is recorded. */
export interface CallSpan extends ChildSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Does work of the call, so that what the store does for it is recorded. */
  run<T>(work: () => T): T;
  /** Begins a part of it; undefined where it has too many parts. */
  begin(name: string, kind: SpanKind, attributes: SpanAttributes): ChildSpan | undefined;
}

/** A call as it begins. */
export interface SpanStart {
  /** For example `assessment.v1.SessionService/CreateSession`. */
  readonly name: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** Of the caller, as received. */
  readonly traceparent: string | undefined;
  /** Of the caller, if the caller is believed. */
  readonly tracestate?: string | undefined;
}

export interface CallTracing {
  /** Records a call if chance will have it; undefined for nearly all. Nobody outside can make it do so. */
  sample(start: SpanStart): CallSpan | undefined;
  /** Records a call whose caller records it as well, and is believed. */
  follow(start: SpanStart): CallSpan;
}

/** Where a request's span is, for those who make calls on its behalf. */
export interface RequestTrace {
  /** Undefined: it is not recorded. */
  span: CallSpan | undefined;
  /** Of the span, for example `POST /v1/:product/sessions`. */
  readonly name: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
}

/** Whether a `traceparent` says that its trace is recorded. */
export function isSampled(traceparent: string | undefined): boolean {
  return traceparent !== undefined && (Number.parseInt(traceparent.slice(-2), 16) & 1) === 1;
}

/** The same trace, without a word on whether it is recorded. */
export function unsampled(traceparent: string | undefined): string | undefined {
  return traceparent && `${traceparent.slice(0, -2)}00`;
}
