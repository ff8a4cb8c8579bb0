// Events that are reported to metrics, the log and traces. They hold nothing secret or personal: routes are templates, and
// addresses of requests, which hold external ids, are left out.
import type { ErrorCode } from "./errors/error-table.ts";
import type { LoggedViolation, Outcome } from "./errors/refusal.ts";

/** The transport of a call. */
export type Transport = "rest" | "web" | "grpc" | "connect" | "internal";

/** A call that has ended. */
export interface CallEvent {
  /** For example `SessionService/CreateSession`. */
  readonly rpc: string;
  readonly transport: Transport;
  readonly requestId: string;
  /** The trace id that the caller sent. */
  readonly traceparent: string | undefined;
  /** Undefined if the call is not recorded. */
  readonly span: CallSpan | undefined;
  readonly clientId: string | undefined;
  readonly partnerId: string | undefined;
  readonly outcome: Outcome;
  /** The first violation of a refused request. */
  readonly violation: LoggedViolation | undefined;
  /** Its duration. */
  readonly seconds: number;
  /** The error, if the outcome is the service's own fault. */
  readonly cause: unknown;
}

/** A request on the HTTP port that has ended. */
export interface RequestEvent {
  /** For example `/v1/:product/sessions`; `none` if no route matched, or the request was never read. */
  readonly route: string;
  /** `none` if it was never read. */
  readonly method: string;
  /** The status of the response; `gone` if the caller left before it. */
  readonly status: number | "gone";
  readonly requestId: string;
  /** The reason for which the request was refused, if it is a code of the error table. */
  readonly code: ErrorCode | undefined;
  /** Whether a call of the pipeline, or a defect, was reported under the same request id. */
  readonly isReported: boolean;
  /** From its arrival to the end of the response. */
  readonly seconds: number;
  /** The trace id that the caller sent. */
  readonly traceparent?: string | undefined;
}

/** Undefined ones are left out. */
export type SpanAttributes = Readonly<Record<string, string | number | undefined>>;

/** The span of a recorded call, or one within it. */
export interface CallSpan {
  /** The `traceparent` that makes this span the parent of spans in other services. */
  readonly traceparent: string;
  /** Runs work of the call, so that the statements of the store are recorded. */
  run<T>(work: () => T): T;
  /** Begins a span within it; undefined if the call has too many. */
  begin(name: string, kind: "client" | "internal", attributes: SpanAttributes): CallSpan | undefined;
  /** @param isError whether it failed */
  end(attributes: SpanAttributes, isError: boolean): void;
}

/** A call as it begins. */
export interface SpanStart {
  /** For example `assessment.v1.SessionService/CreateSession`. */
  readonly name: string;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
  /** That of the caller, as received. */
  readonly traceparent: string | undefined;
}

export interface CallTracing {
  /** Records a call by chance; undefined for nearly all. No caller can force it. */
  sample(start: SpanStart): CallSpan | undefined;
  /** Records a call of a trusted caller if that records it as well. */
  follow(start: SpanStart): CallSpan | undefined;
}

/** The same trace, without the sampled flag. */
export function clearSampledFlag(traceparent: string | undefined): string | undefined {
  return traceparent && `${traceparent.slice(0, -2)}00`;
}
