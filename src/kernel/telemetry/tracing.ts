// The port of tracing: what transports and pipeline know of it. Nothing in a span is secret or personal; no address of
// a request is, since it holds external ids.

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
