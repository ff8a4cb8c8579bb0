// Metrics of calls and requests: outcomes, durations, and the share of the database. Labels are rpcs, transports, codes,
// routes and statuses of the code.
import { Histogram, type Registry } from "prom-client";
import type { StoreObserver } from "../../database/connection.ts";
import type { MonotonicClock } from "../../kernel/environment.ts";
import type { Outcome } from "../../kernel/errors/refusal.ts";
import type { NoSlot } from "../../kernel/limits/semaphore.ts";
import type { CallEvent, RequestEvent } from "../../kernel/telemetry.ts";
import type { Meters } from "./meters.ts";

type ReportedCall = Pick<CallEvent, "rpc" | "transport" | "outcome" | "seconds" | "span">;
type ReportedRequest = Pick<RequestEvent, "route" | "method" | "status" | "seconds">;

/** Counts a call through the pipeline, with its seconds; one with a trace is an exemplar of its bucket. */
export function pipelineCalls(registry: Registry): (call: ReportedCall) => void {
  // With the label of its exemplars: the library's types require it here.
  const calls = new Histogram<"rpc" | "door" | "outcome" | "trace_id">({
    name: "pas_calls_seconds",
    help: "Calls through the pipeline by rpc, door and outcome (ok, caller_gone, or a code of the error table)",
    labelNames: ["rpc", "door", "outcome"],
    enableExemplars: true,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return ({ rpc, transport, outcome, seconds, span }) => {
    const exemplarLabels = span === undefined ? {} : { trace_id: span.traceId };
    calls.observe({ labels: { rpc, door: transport, outcome }, value: seconds, exemplarLabels });
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
    "Time that calls waited to be let in, of those that had to wait and were let in",
    [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1],
  );
  const refusals = counter("pas_admission_refused_total", "Calls not let in, by reason (full, waited, share)", [
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
    "Time until a connection of the database pool was there, or none was",
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
