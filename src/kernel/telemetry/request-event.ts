// What is reported of a request on the HTTP port when it is over, for metrics and the log. Nothing in it is secret or
// personal: a route is a template, never an address.
import type { ErrorCode } from "../errors/error-table.ts";
import type { CallSpan } from "./tracing.ts";

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
