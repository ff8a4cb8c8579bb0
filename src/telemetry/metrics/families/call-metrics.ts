// Metrics of calls and requests: outcomes, durations, and the share of the database.
import { Counter, Histogram, type Registry } from "prom-client";
import type { StoreObserver } from "../../../database/connection.ts";
import type { MonotonicClock } from "../../../kernel/environment.ts";
import type { Outcome } from "../../../kernel/errors/refusal.ts";
import type { NoSlot } from "../../../kernel/limits/semaphore.ts";
import type { CallEvent, RequestEvent } from "../../../kernel/telemetry.ts";

type ReportedCall = Pick<CallEvent, "rpc" | "transport" | "outcome" | "seconds" | "span">;
type ReportedRequest = Pick<RequestEvent, "route" | "method" | "status" | "seconds">;

/**
 * The metrics of calls and requests, in the registers. Labels are rpcs, transports, codes, routes and statuses of the
 * code.
 */
export function createCallMetrics(registers: Registry[]) {
  // With the label of its exemplars: the library's types require it here.
  const calls = new Histogram<"rpc" | "door" | "outcome" | "trace_id">({
    name: "pas_calls_seconds",
    help: "Calls through the pipeline by rpc, door and outcome (ok, caller_gone, or a code of the error table)",
    labelNames: ["rpc", "door", "outcome"],
    enableExemplars: true,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const requests = new Histogram({
    name: "pas_http_requests_seconds",
    help: "Requests on the HTTP port by route, method and status (gone: the caller left before the response)",
    labelNames: ["route", "method", "status"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  return {
    /** Counts a call through the pipeline, with its seconds; one with a trace is an exemplar of its bucket. */
    observeCall({ rpc, transport, outcome, seconds, span }: ReportedCall) {
      const exemplarLabels = span === undefined ? {} : { trace_id: span.traceId };
      calls.observe({ labels: { rpc, door: transport, outcome }, value: seconds, exemplarLabels });
    },
    /** Counts a request on the HTTP port, with its seconds. */
    observeRequest({ route, method, status, seconds }: ReportedRequest) {
      requests.observe({ route, method, status }, seconds);
    },
  };
}

/** The metrics of admission, in the registers. */
export function createAdmissionMetrics(registers: Registry[]) {
  const waits = new Histogram({
    name: "pas_admission_wait_seconds",
    help: "Time that calls waited to be let in, of those that had to wait and were let in",
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1],
    registers,
  });
  const refusals = new Counter({
    name: "pas_admission_refused_total",
    help: "Calls not let in, by reason (full, waited, share)",
    labelNames: ["reason"],
    registers,
  });
  return {
    waited: (seconds: number) => waits.observe(seconds),
    refused: (reason: NoSlot) => refusals.inc({ reason }),
  };
}

/** Counts a call of the core, with its seconds. @param code of gRPC, in lower case: `ok`, `unavailable` */
export type ObserveCoreCall = (rpc: string, code: string, seconds: number) => void;

/** The histogram, in the registers: rpcs of the code by the 17 codes of gRPC. */
export function createCoreMetrics(registers: Registry[]): ObserveCoreCall {
  const calls = new Histogram({
    name: "pas_core_calls_seconds",
    help: "Calls of a gateway to its core by rpc and code of gRPC",
    labelNames: ["rpc", "code"],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 10],
    registers,
  });
  return (rpc, code, seconds) => calls.observe({ rpc, code }, seconds);
}

/** Limit of clients with a series of their own in a process: the first that have called since its start. */
const maxClients = 1_000;

const failures: ReadonlySet<Outcome> = new Set(["internal", "unavailable", "deadline_exceeded"]);

/** Counts a call; without a client id its token is unknown, or none is needed. */
export type ObserveClientCall = (call: Pick<CallEvent, "rpc" | "clientId" | "outcome">) => void;

/**
 * Adds the counters to the registers. Clients beyond the limit are `other`.
 * @param deprecated deprecated rpcs, such as `SessionService/GetSession`
 */
export function clientCalls(registers: Registry[], deprecated: ReadonlySet<string> = new Set()): ObserveClientCall {
  const counter = new Counter({
    name: "pas_client_calls_total",
    help: "Calls by client and by class: ok, refused (for a reason of the caller's), failed (for one of the service's)",
    labelNames: ["client_id", "class"],
    registers,
  });
  const deprecatedCalls = new Counter({
    name: "pas_deprecated_calls_total",
    help: "Calls of rpcs that callers should leave, by rpc and client",
    labelNames: ["rpc", "client_id"],
    registers,
  });
  const known = new Set<string>();
  return ({ rpc, clientId, outcome }) => {
    if (clientId !== undefined && known.size < maxClients) known.add(clientId);
    const client = nameOf(clientId, known);
    counter.inc({ client_id: client, class: classOf(outcome) });
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

/** The metrics of statements and waits, in the registers. Statements are those of the code, by verb and table. */
export function createDatabaseMetrics(registers: Registry[], now: MonotonicClock): StoreObserver {
  const statements = new Histogram({
    name: "pas_statements_seconds",
    help: "Statements of the database by verb and first table, from sending to the result, lost ones included",
    labelNames: ["statement"],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.05, 0.25, 1, 5],
    registers,
  });
  const waits = new Histogram({
    name: "pas_pool_wait_seconds",
    help: "Time until a connection of the database pool was there, or none was",
    buckets: [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 2, 5],
    registers,
  });
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
