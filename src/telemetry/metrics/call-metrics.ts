// Metrics of calls, requests and the statements that they make. Labels are rpcs, transports, codes, routes and statuses of the code.
import type { StoreObserver } from "../../database/connection.ts";
import type { MonotonicClock } from "../../kernel/environment.ts";
import type { Outcome } from "../../kernel/errors/refusal.ts";
import type { NoSlot } from "../../kernel/limits/semaphore.ts";
import type { CallEvent, RequestEvent } from "../../kernel/telemetry.ts";
import type { Meters } from "./meters.ts";

export type CallMetrics = ReturnType<typeof createCallMetrics>;

type ReportedCall = Pick<CallEvent, "rpc" | "transport" | "outcome" | "seconds" | "clientId">;
type ReportedRequest = Pick<RequestEvent, "route" | "method" | "status" | "seconds">;

/** @param deprecated rpcs, such as `SessionService/GetSession` */
export function createCallMetrics(meters: Meters, monotonic: MonotonicClock, deprecated: ReadonlySet<string>) {
  const { counter, histogram } = meters;
  const calls = histogram(
    "pas_calls_seconds",
    "Calls through the pipeline by rpc, transport and outcome (ok, caller_gone, or a code of the error table)",
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    ["rpc", "transport", "outcome"],
  );
  const countByClient = clientCalls(meters, deprecated);
  const requests = histogram(
    "pas_http_requests_seconds",
    "Requests on the HTTP port by route, method and status (gone: the caller left before the response)",
    [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    ["route", "method", "status"],
  );
  const coreCalls = histogram(
    "pas_core_calls_seconds",
    "Calls of a gateway to its core by rpc and code of gRPC",
    [0.001, 0.005, 0.025, 0.1, 0.25, 1, 2.5, 10],
    ["rpc", "code"],
  );
  const waits = histogram(
    "pas_admission_wait_seconds",
    "Time that calls waited for admission, of those that had to wait and were admitted",
    [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1],
  );
  const refusals = counter("pas_admission_refused_total", "Calls not admitted, by reason (full, waited, share)", [
    "reason",
  ]);
  return {
    observeCall(call: ReportedCall) {
      const { rpc, transport, outcome, seconds } = call;
      calls.observe({ rpc, transport, outcome }, seconds);
      countByClient(call);
    },
    observeRequest({ route, method, status, seconds }: ReportedRequest) {
      requests.observe({ route, method, status }, seconds);
    },
    /** @param code of gRPC, in lower case: `ok`, `unavailable` */
    observeCoreCall: (rpc: string, code: string, seconds: number) => coreCalls.observe({ rpc, code }, seconds),
    admission: {
      waited: (seconds: number) => waits.observe(seconds),
      refused: (reason: NoSlot) => refusals.inc({ reason }),
    },
    database: databaseMetrics(meters, monotonic),
  };
}

/** Limit of clients with a series of their own in a process: the first that have called since its start. */
const maxClients = 1_000;

/** Counts calls by client, as `other` beyond the limit, and as `none` without a known token. */
function clientCalls({ counter }: Meters, deprecated: ReadonlySet<string>) {
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
  const clientIds = new Set<string>();
  return ({ rpc, clientId = "none", outcome }: ReportedCall) => {
    if (clientId !== "none" && clientIds.size < maxClients) clientIds.add(clientId);
    const client = clientId === "none" || clientIds.has(clientId) ? clientId : "other";
    calls.inc({ client_id: client, class: classOf(outcome) });
    if (deprecated.has(rpc)) deprecatedCalls.inc({ rpc, client_id: client });
  };
}

const failures: ReadonlySet<Outcome> = new Set(["internal", "unavailable", "deadline_exceeded"]);

/** Whether an outcome is a fault of the service. */
export function isFailure(outcome: Outcome): boolean {
  return failures.has(outcome);
}

function classOf(outcome: Outcome): "ok" | "refused" | "failed" {
  if (outcome === "ok") return "ok";
  return isFailure(outcome) ? "failed" : "refused";
}

/** Statements are those of the code, by verb and table. */
function databaseMetrics({ histogram }: Meters, now: MonotonicClock): StoreObserver {
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
