// Metrics of calls and requests: what callers get, and how long it takes.
import type { Registry } from "prom-client";
import type { CallEvent } from "../../../kernel/telemetry/call-event.ts";
import type { RequestEvent } from "../../../kernel/telemetry/request-event.ts";
import { Timings } from "../timings.ts";

export interface CallMetrics {
  /** Counts a call through the pipeline, with its seconds; one with a trace is an example of its bucket. */
  readonly observeCall: (call: Pick<CallEvent, "rpc" | "transport" | "outcome" | "seconds" | "span">) => void;
  /** Counts a request on the HTTP port, with its seconds. */
  readonly observeRequest: (request: Pick<RequestEvent, "route" | "method" | "status" | "seconds">) => void;
}

/**
 * The metrics of calls and requests, in the registers. Labels are rpcs, transports, codes, routes and statuses of the
 * code.
 */
export function createCallMetrics(registers: Registry[]): CallMetrics {
  const calls = new Timings({
    name: "pas_calls_seconds",
    help: "Calls through the pipeline by rpc, door and outcome (ok, caller_gone, or a code of the error table)",
    labelNames: ["rpc", "door", "outcome"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const requests = new Timings({
    name: "pas_http_requests_seconds",
    help: "Requests on the HTTP port by route, method and status (gone: the caller left before the response)",
    labelNames: ["route", "method", "status"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  return {
    observeCall({ rpc, transport, outcome, seconds, span }) {
      calls.observe([rpc, transport, outcome], seconds, span?.traceId);
    },
    observeRequest({ route, method, status, seconds }) {
      requests.observe([route, method, String(status)], seconds);
    },
  };
}
