// What is reported of a call when it is over, for metrics and the log. Nothing in it is secret or personal.
import type { Transport } from "../calls/core.ts";
import type { ErrorCode } from "../errors/error-table.ts";
import { CallerGone, Refusal } from "../errors/refusal.ts";
import { pointerTo } from "../errors/violation.ts";
import type { CallSpan } from "./tracing.ts";

/** How a call ended: well, with a code of the error table, or because its caller left. */
export type Outcome = "ok" | "caller_gone" | ErrorCode;

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

/** What was wrong with a request, without what was sent. */
export interface LoggedViolation {
  /** To the member of the message, or to what an unknown member stands in: its name is the caller's. */
  readonly pointer: string;
  readonly code: string;
}

/** The first violation of what a call ended with, if that has any. */
export function violationOf(error: unknown): LoggedViolation | undefined {
  const first = error instanceof Refusal ? error.violations[0] : undefined;
  if (first === undefined) return undefined;
  const { path, code } = first;
  return { pointer: pointerTo(code === "unknown_member" ? path.slice(0, -1) : path), code };
}

/** The outcome of a call. @param error what it ended with; undefined for a success */
export function outcomeOf(error: unknown): Outcome {
  if (error === undefined) return "ok";
  if (error instanceof CallerGone) return "caller_gone";
  return error instanceof Refusal ? error.code : "internal";
}
