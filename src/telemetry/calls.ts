// Observers of calls and requests: they count, log, and end spans.
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { traceIdOf } from "../kernel/calls/core.ts";
import type { MonotonicClock } from "../kernel/environment.ts";
import { errorRow } from "../kernel/errors/error-table.ts";
import { CoreUnreachableError, type Outcome } from "../kernel/errors/refusal.ts";
import type { CallEvent, RequestEvent, SpanAttributes } from "../kernel/telemetry.ts";
import { LineLimits, type Logger } from "./logs/logger.ts";
import { type CallMetrics, isFailure } from "./metrics/call-metrics.ts";

export interface Observers {
  readonly call: (event: CallEvent) => void;
  readonly request: (event: RequestEvent) => void;
}

/** Observers that share the limits of the log's lines. */
export function createObservers(
  log: Logger,
  metrics: Pick<CallMetrics, "observeCall" | "observeRequest">,
  monotonic: MonotonicClock,
): Observers {
  const limits = new LineLimits(monotonic);
  /** How many lines of the kind were dropped before this one; undefined: it is not written. */
  const take = (level: Level, kind: Outcome | RequestEvent["status"]) => {
    if (!log.isLevelEnabled(level)) return undefined;
    return level === "debug" ? 0 : limits.take(`${level} ${kind}`);
  };
  return {
    call(event) {
      metrics.observeCall(event);
      const level = levelOf(event.outcome, event.cause);
      const unlogged = take(level, event.outcome);
      if (unlogged !== undefined) log[level](callLine(event, unlogged), "call");
      event.span?.end(callAttributes(event), isFailure(event.outcome));
    },
    request(event) {
      const { status, code, isReported, span } = event;
      metrics.observeRequest(event);
      if (!isReported && (status === "gone" || status >= 400)) {
        const level = levelOfRequest(event);
        const unlogged = take(level, code ?? status);
        if (unlogged !== undefined) log[level](requestLine(event, unlogged), "request");
      }
      span?.end(requestAttributes(event), status !== "gone" && status >= 500);
    },
  };
}

function callLine(event: CallEvent, unlogged: number) {
  const { rpc, transport, requestId, traceparent, span, clientId, partnerId, outcome, violation, cause } = event;
  return {
    rpc,
    transport,
    requestId,
    traceId: span?.traceId ?? traceIdOf(traceparent),
    clientId,
    partnerId,
    outcome,
    violation,
    ms: Math.round(event.seconds * 1e4) / 10,
    unlogged: unlogged || undefined,
    err: cause,
  };
}

function requestLine({ route, method, status, requestId, code, seconds, ...trace }: RequestEvent, unlogged: number) {
  const traceId = trace.span?.traceId ?? traceIdOf(trace.traceparent);
  const ms = Math.round(seconds * 1e4) / 10;
  return { route, method, requestId, traceId, status, code, ms, unlogged: unlogged || undefined };
}

type Level = "debug" | "info" | "warn" | "error";

/** Levels of lines: of what metrics count only, of temporary troubles, of defects. All other outcomes are the caller's. */
const levels: Partial<Record<Outcome, Level>> = {
  ok: "debug",
  caller_gone: "debug",
  unavailable: "warn",
  deadline_exceeded: "warn",
  conflict: "warn",
  internal: "error",
};

function levelOf(outcome: Outcome, cause?: unknown): Level {
  const level = levels[outcome] ?? "info";
  return level !== "debug" && cause instanceof CoreUnreachableError ? "error" : level;
}

function levelOfRequest({ status, code }: RequestEvent): Level {
  if (status === "gone") return "debug";
  if (code !== undefined) return levelOf(code);
  return status >= 500 ? "error" : "info";
}

const systems: Readonly<Record<string, string>> = { grpc: "grpc", connect: "connectrpc" };

/** Attributes of a call, by OpenTelemetry's semantic conventions. The same privacy rules as for logs apply. */
function callAttributes({ rpc, transport, requestId, clientId, outcome }: CallEvent): SpanAttributes {
  return {
    "rpc.system.name": systems[transport],
    "rpc.method": `assessment.v1.${rpc}`,
    "rpc.response.status_code": statusOf(outcome),
    "pas.transport": transport,
    "pas.outcome": outcome,
    "pas.request_id": requestId,
    "pas.client_id": clientId,
  };
}

/** Attributes of a request on the HTTP port. The route is a template, never an address. */
function requestAttributes({ route, method, status, requestId, code }: RequestEvent): SpanAttributes {
  return {
    "http.route": route,
    "http.request.method": method,
    "http.response.status_code": status === "gone" ? undefined : status,
    "pas.request_id": requestId,
    "pas.outcome": code,
  };
}

function statusOf(outcome: Outcome): string {
  if (outcome === "ok") return "OK";
  const code = outcome === "caller_gone" ? undefined : errorRow(outcome).grpcCode;
  return code === undefined ? "CANCELLED" : codeToString(code).toUpperCase();
}
