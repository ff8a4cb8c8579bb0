// What is observed of calls and requests, and of the statements that they make: metrics, and lines of the log. Labels are rpcs,
// transports, codes, routes and statuses of the code.
import { Histogram, type Registry } from "prom-client";
import type { StoreObserver } from "../database/connection.ts";
import { traceIdOf } from "../kernel/calls/core.ts";
import type { MonotonicClock } from "../kernel/environment.ts";
import { HopError, type Outcome } from "../kernel/errors/refusal.ts";
import type { NoSlot } from "../kernel/limits/semaphore.ts";
import type { CallEvent, RequestEvent } from "../kernel/telemetry.ts";
import { systemTimers } from "../kernel/timers.ts";
import { LineLimits, type Logger } from "./logs/logger.ts";
import type { Meters } from "./metrics/meters.ts";

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
export function createObservers(log: Logger, metrics: CallMetrics, spans: SpanEnds = {}): Observers {
  const limits = new LineLimits(systemTimers.now);
  return {
    call: each(callObserver(log, metrics, limits), spans.call),
    request: each(requestObserver(log, metrics, limits), spans.request),
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
export function callObserver(log: Logger, metrics: CallMetrics, limits: LineLimits): (event: CallEvent) => void {
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
      transport,
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
export function requestObserver(log: Logger, metrics: CallMetrics, limits: LineLimits): (event: RequestEvent) => void {
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

type Level = "debug" | "info" | "warn" | "error";

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

/** The metrics that observers count with. */
export interface CallMetrics {
  readonly observeCall: (call: ReportedCall) => void;
  readonly observeClientCall: ObserveClientCall;
  readonly observeRequest: (request: ReportedRequest) => void;
}

type ReportedCall = Pick<CallEvent, "rpc" | "transport" | "outcome" | "seconds" | "span">;
type ReportedRequest = Pick<RequestEvent, "route" | "method" | "status" | "seconds">;

/** Counts a call through the pipeline, with its seconds; one with a trace is an exemplar of its bucket. */
export function pipelineCalls(registry: Registry): (call: ReportedCall) => void {
  // With the label of its exemplars: the library's types require it here.
  const calls = new Histogram<"rpc" | "transport" | "outcome" | "trace_id">({
    name: "pas_calls_seconds",
    help: "Calls through the pipeline by rpc, transport and outcome (ok, caller_gone, or a code of the error table)",
    labelNames: ["rpc", "transport", "outcome"],
    enableExemplars: true,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return ({ rpc, transport, outcome, seconds, span }) => {
    const exemplarLabels = span === undefined ? {} : { trace_id: span.traceId };
    calls.observe({ labels: { rpc, transport, outcome }, value: seconds, exemplarLabels });
  };
}

/** Counts a request on the HTTP port, with its seconds. */
export function httpRequests({ histogram }: Meters): (request: ReportedRequest) => void {
  const requests = histogram(
    "pas_http_requests_seconds",
    "Requests on the HTTP port by route, method and status (gone: the caller left before the response)",
    [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    ["route", "method", "status"],
  );
  return ({ route, method, status, seconds }) => requests.observe({ route, method, status }, seconds);
}

/** The metrics of admission. */
export function createAdmissionMetrics({ counter, histogram }: Meters) {
  const waits = histogram(
    "pas_admission_wait_seconds",
    "Time that calls waited for admission, of those that had to wait and were admitted",
    [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1],
  );
  const refusals = counter("pas_admission_refused_total", "Calls not admitted, by reason (full, waited, share)", [
    "reason",
  ]);
  return {
    waited: (seconds: number) => waits.observe(seconds),
    refused: (reason: NoSlot) => refusals.inc({ reason }),
  };
}

/** Counts a call of the core, with its seconds. @param code of gRPC, in lower case: `ok`, `unavailable` */
export type ObserveCoreCall = (rpc: string, code: string, seconds: number) => void;

export function coreCalls({ histogram }: Meters): ObserveCoreCall {
  const calls = histogram(
    "pas_core_calls_seconds",
    "Calls of a gateway to its core by rpc and code of gRPC",
    [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 10],
    ["rpc", "code"],
  );
  return (rpc, code, seconds) => calls.observe({ rpc, code }, seconds);
}

/** Limit of clients with a series of their own in a process: the first that have called since its start. */
const maxClients = 1_000;

const failures: ReadonlySet<Outcome> = new Set(["internal", "unavailable", "deadline_exceeded"]);

/** Counts a call; without a client id its token is unknown, or none is needed. */
export type ObserveClientCall = (call: Pick<CallEvent, "rpc" | "clientId" | "outcome">) => void;

/** Clients beyond the limit are `other`. @param deprecated deprecated rpcs, such as `SessionService/GetSession` */
export function clientCalls({ counter }: Meters, deprecated: ReadonlySet<string> = new Set()): ObserveClientCall {
  const calls = counter(
    "pas_client_calls_total",
    "Calls by client and by class: ok, refused (for a reason of the caller's), failed (for one of the service's)",
    ["client_id", "class"],
  );
  const deprecatedCalls = counter(
    "pas_deprecated_calls_total",
    "Calls of rpcs that callers should leave, by rpc and client",
    ["rpc", "client_id"],
  );
  const known = new Set<string>();
  return ({ rpc, clientId, outcome }) => {
    if (clientId !== undefined && known.size < maxClients) known.add(clientId);
    const client = nameOf(clientId, known);
    calls.inc({ client_id: client, class: classOf(outcome) });
    if (deprecated.has(rpc)) deprecatedCalls.inc({ rpc, client_id: client });
  };
}

/** Whether an outcome is a fault of the service. */
export function isFailure(outcome: Outcome): boolean {
  return failures.has(outcome);
}

function nameOf(clientId: string | undefined, known: ReadonlySet<string>): string {
  if (clientId === undefined) return "none";
  return known.has(clientId) ? clientId : "other";
}

function classOf(outcome: Outcome): "ok" | "refused" | "failed" {
  if (outcome === "ok") return "ok";
  return isFailure(outcome) ? "failed" : "refused";
}

/** The metrics of statements and waits. Statements are those of the code, by verb and table. */
export function createDatabaseMetrics({ histogram }: Meters, now: MonotonicClock): StoreObserver {
  const statements = histogram(
    "pas_statements_seconds",
    "Statements of the database by verb and first table, from sending to the result, lost ones included",
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5],
    ["statement"],
  );
  const waits = histogram(
    "pas_pool_wait_seconds",
    "Time until the pool lent a database connection, or failed to",
    [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2, 5],
  );
  const elapsed = (startedAt: number) => (now() - startedAt) / 1000;
  return {
    beginWait() {
      const startedAt = now();
      return () => waits.observe(elapsed(startedAt));
    },
    beginStatement(statement) {
      const startedAt = now();
      return () => statements.observe({ statement }, elapsed(startedAt));
    },
  };
}
