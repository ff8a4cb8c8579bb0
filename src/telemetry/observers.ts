// Counts and logs calls, requests and background work.

import { traceIdOf } from "../kernel/calls/core.ts";
import type { ReportDefect } from "../kernel/environment.ts";
import { HopError, type Outcome } from "../kernel/errors/refusal.ts";
import type { CallEvent, RequestEvent } from "../kernel/telemetry.ts";
import { systemTimers } from "../kernel/timers.ts";
import { LineLimits, type Logger } from "./logs/logger.ts";
import type { Metrics } from "./metrics/metrics.ts";

export interface Observers {
  readonly call: (event: CallEvent) => void;
  readonly request: (event: RequestEvent) => void;
}

/** End the spans of calls or of requests, for those that the process records. */
export interface SpanEnds {
  readonly call?: Observers["call"] | undefined;
  readonly request?: Observers["request"] | undefined;
}

/** Observers that share the limits of the log's lines. */
export function createObservers(log: Logger, metrics: Metrics, spans: SpanEnds = {}): Observers {
  const limits = new LineLimits(systemTimers.now);
  return {
    call: each(callObserver(log, metrics, limits), spans.call),
    request: each(requestObserver(log, metrics, limits), spans.request),
  };
}

/** Observers of background work. */
export function backgroundObservers(log: Logger, metrics: Metrics) {
  return {
    observeUnpublished: (seconds: number) => metrics.events.unpublished.set(seconds),
    observeDeleted: ({ mode }: { readonly mode: string }, deleted: string, sessions: number) =>
      metrics.deletedSessions.inc({ mode, deleted }, sessions),
    observeEndedKeys: (keys: number) => metrics.endedKeys.inc(keys),
    observeAnchor: anchorObserver(log),
  };
}

/** Counts and logs faults of the service itself. */
export function defectReporter(log: Logger, metrics: Metrics): ReportDefect {
  return (error, what) => {
    metrics.defects.inc({ what });
    log.error({ err: error, what }, "defect");
  };
}

function each<T>(observe: (event: T) => void, end: ((event: T) => void) | undefined): (event: T) => void {
  if (end === undefined) return observe;
  return (event) => {
    observe(event);
    end(event);
  };
}

/** An observer that logs and counts. Successes are logged at debug level: metrics count them. */
export function callObserver(log: Logger, metrics: Metrics, limits: LineLimits): (event: CallEvent) => void {
  return (call) => {
    const { rpc, transport, requestId, traceparent, span, clientId, partnerId, outcome, violation, seconds, cause } =
      call;
    metrics.observeCall(call);
    metrics.observeClientCall(call);
    const level = levelOf(outcome, cause);
    if (!log.isLevelEnabled(level)) return;
    const unlogged = level === "debug" ? 0 : limits.take(`${level} ${outcome}`);
    if (unlogged === undefined) return;
    const line = {
      rpc,
      door: transport,
      requestId,
      traceId: span?.traceId ?? traceIdOf(traceparent),
      clientId,
      partnerId,
      outcome,
      ...(violation === undefined ? {} : { violation }),
      ms: Math.round(seconds * 1e4) / 10,
      ...(unlogged === 0 ? {} : { unlogged }),
      ...(cause === undefined ? {} : { err: cause }),
    };
    log[level](line, "call");
  };
}

/** An observer that counts and logs, within the limits that calls have. */
export function requestObserver(log: Logger, metrics: Metrics, limits: LineLimits): (event: RequestEvent) => void {
  return (event) => {
    const { route, method, status, requestId, code, isReported, seconds } = event;
    metrics.observeRequest(event);
    if (isReported || (status !== "gone" && status < 400)) return;
    const level = levelOfRequest(event);
    if (!log.isLevelEnabled(level)) return;
    const unlogged = level === "debug" ? 0 : limits.take(`${level} ${code ?? status}`);
    if (unlogged === undefined) return;
    const ms = Math.round(seconds * 1e4) / 10;
    const traceId = event.span?.traceId ?? traceIdOf(event.traceparent);
    const line = { route, method, requestId, traceId, status, code, ms, ...(unlogged === 0 ? {} : { unlogged }) };
    log[level](line, "request");
  };
}

function levelOfRequest({ status, code }: RequestEvent): Level {
  if (status === "gone") return "debug";
  if (code !== undefined) return levelOf(code);
  return status >= 500 ? "error" : "info";
}

interface Anchor {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** An observer that logs. The line holds what `pas audit verify --head` takes. */
function anchorObserver(log: Logger): (anchor: Anchor) => void {
  return ({ sequence, hash }) =>
    log.info({ anchor: `${sequence}:${Buffer.from(hash).toString("hex")}` }, "audit anchor");
}

export type Level = "debug" | "info" | "warn" | "error";

/** Outcomes logged at debug level only: metrics count them. */
const quiet: ReadonlySet<Outcome> = new Set(["ok", "caller_gone"]);
/** Outcomes that are defects of the service; all others are the caller's, or temporary. */
const defects: ReadonlySet<Outcome> = new Set(["internal"]);
const troubles: ReadonlySet<Outcome> = new Set(["unavailable", "deadline_exceeded", "conflict"]);

/** The level of a line. @param cause the error, if it is known */
function levelOf(outcome: Outcome, cause?: unknown): Level {
  if (quiet.has(outcome)) return "debug";
  if (defects.has(outcome) || cause instanceof HopError) return "error";
  return troubles.has(outcome) ? "warn" : "info";
}
