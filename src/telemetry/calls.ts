// Metrics, log lines and traces of calls, requests and the statements that they make. Labels of metrics are rpcs,
// transports, codes, routes and statuses of the code.
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { StoreObserver } from "../database/connection.ts";
import { readTraceId } from "../kernel/calls/core.ts";
import type { MonotonicClock, ReportDefect } from "../kernel/environment.ts";
import { getErrorRow } from "../kernel/errors/error-table.ts";
import { CoreUnreachableError, type Outcome } from "../kernel/errors/refusal.ts";
import type { CallEvent, RequestEvent, SpanAttributes } from "../kernel/telemetry.ts";
import type { NoSlot } from "../limits/semaphore.ts";
import { type Logger, LogRateLimit } from "./logger.ts";
import type { Meters } from "./meters.ts";

/** Observers of calls, with their metrics. Kinds of lines share the limits of the log. */
export function createCallTelemetry(
  meters: Meters,
  log: Logger,
  monotonic: MonotonicClock,
  reportDefect: ReportDefect,
) {
  const { createCounter, createHistogram } = meters;
  const calls = createHistogram(
    "pas_calls_seconds",
    "Calls through the pipeline by rpc, transport and outcome (ok, caller_gone, or a code of the error table)",
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    ["rpc", "transport", "outcome"],
  );
  const requests = createHistogram(
    "pas_http_requests_seconds",
    "Requests on the HTTP port by route, method and status (gone: the caller left before the response)",
    [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    ["route", "method", "status"],
  );
  const refusals = createCounter("pas_admission_refused_total", "Calls not admitted, by reason (full, waited, share)", [
    "reason",
  ]);
  const countByClient = createClientCounter(meters);
  const limits = new LogRateLimit(monotonic);
  /** Writes a line, with the number of lines of its kind that were dropped before. */
  const write = <E>(level: Level, kind: string | number, message: string, event: E, lineOf: (event: E) => object) => {
    if (!log.isLevelEnabled(level)) return;
    const unloggedCount = level === "debug" ? 0 : limits.take(`${level} ${kind}`);
    if (unloggedCount !== undefined) log[level]({ ...lineOf(event), unlogged: unloggedCount || undefined }, message);
  };
  return {
    observeCall(event: CallEvent) {
      const { rpc, transport, outcome, seconds, cause, span } = event;
      try {
        calls.observe({ rpc, transport, outcome }, seconds);
        countByClient(event);
        write(toLevel(outcome, cause), outcome, "call", event, toCallLine);
        span?.end(toCallAttributes(event), serviceFaults.has(outcome));
      } catch (error) {
        // The call is over, and its caller gets the response all the same.
        reportDefect(error, "end of a call");
      }
    },
    observeRequest(event: RequestEvent) {
      const { route, method, status, code, isReported, seconds } = event;
      requests.observe({ route, method, status }, seconds);
      if (!isReported && (status === "gone" || status >= 400)) {
        write(toRequestLevel(event), code ?? status, "request", event, toRequestLine);
      }
    },
    observeRefused: (reason: NoSlot) => refusals.inc({ reason }),
    statements: createStatementObserver(meters, monotonic),
  };
}

/** Limit of clients with a series of their own in a process: the first that have called since its start. */
const maxClients = 1_000;

/** Counts calls by client, as `other` beyond the limit, and as `none` without a known token. */
function createClientCounter({ createCounter }: Meters) {
  const calls = createCounter(
    "pas_client_calls_total",
    "Calls by client and by class: ok, refused (for a reason of the caller's), failed (for one of the service's)",
    ["client_id", "class"],
  );
  const clientIds = new Set<string>();
  return ({ clientId = "none", outcome }: CallEvent) => {
    if (clientId !== "none" && clientIds.size < maxClients) clientIds.add(clientId);
    const client = clientId === "none" || clientIds.has(clientId) ? clientId : "other";
    calls.inc({ client_id: client, class: classify(outcome) });
  };
}

/** Outcomes that are a fault of the service. */
const serviceFaults: ReadonlySet<Outcome> = new Set(["internal", "unavailable", "deadline_exceeded"]);

function classify(outcome: Outcome): "ok" | "refused" | "failed" {
  if (outcome === "ok") return "ok";
  return serviceFaults.has(outcome) ? "failed" : "refused";
}

/** Statements are those of the code, by verb and table. */
function createStatementObserver({ createHistogram }: Meters, now: MonotonicClock): StoreObserver {
  const statements = createHistogram(
    "pas_statements_seconds",
    "Statements of the database by verb and first table, from sending to the result, lost ones included",
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5],
    ["statement"],
  );
  const waits = createHistogram(
    "pas_pool_wait_seconds",
    "Time until the pool lent a database connection, or failed to",
    [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2, 5],
  );
  return {
    beginWait() {
      const startedAt = now();
      return () => waits.observe((now() - startedAt) / 1000);
    },
    beginStatement(statement) {
      const startedAt = now();
      return () => statements.observe({ statement }, (now() - startedAt) / 1000);
    },
  };
}

function toCallLine({ rpc, transport, clientId, partnerId, outcome, violation, cause, ...event }: CallEvent) {
  return { rpc, transport, ...toCommonLine(event), clientId, partnerId, outcome, violation, err: cause };
}

function toRequestLine({ route, method, status, code, ...event }: RequestEvent) {
  return { route, method, ...toCommonLine(event), status, code };
}

function toCommonLine({
  requestId,
  span,
  traceparent,
  seconds,
}: Pick<RequestEvent, "requestId" | "traceparent" | "seconds"> & { readonly span?: CallEvent["span"] }) {
  return { requestId, traceId: readTraceId(span?.traceparent ?? traceparent), ms: Math.round(seconds * 1e4) / 10 };
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

function toLevel(outcome: Outcome, cause?: unknown): Level {
  const level = levels[outcome] ?? "info";
  return level !== "debug" && cause instanceof CoreUnreachableError ? "error" : level;
}

function toRequestLevel({ status, code }: RequestEvent): Level {
  if (status === "gone") return "debug";
  if (code !== undefined) return toLevel(code);
  return status >= 500 ? "error" : "info";
}

const systems: Readonly<Record<string, string>> = { grpc: "grpc", connect: "connectrpc" };

/** Attributes of a call, by OpenTelemetry's semantic conventions. The same privacy rules as for logs apply. */
function toCallAttributes({ rpc, transport, requestId, clientId, outcome }: CallEvent): SpanAttributes {
  return {
    "rpc.system.name": systems[transport],
    "rpc.method": `assessment.v1.${rpc}`,
    "rpc.response.status_code": toStatusCode(outcome),
    "pas.transport": transport,
    "pas.outcome": outcome,
    "pas.request_id": requestId,
    "pas.client_id": clientId,
  };
}

function toStatusCode(outcome: Outcome): string {
  if (outcome === "ok") return "OK";
  const code = outcome === "caller_gone" ? undefined : getErrorRow(outcome).grpcCode;
  return code === undefined ? "CANCELLED" : codeToString(code).toUpperCase();
}
