// Attributes of spans, by OpenTelemetry's semantic conventions. The same privacy rules as for logs apply.
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { errorRow } from "../../kernel/errors/error-table.ts";
import type { Outcome } from "../../kernel/errors/refusal.ts";
import type { CallEvent, RequestEvent, SpanAttributes } from "../../kernel/telemetry.ts";
import { isFailure } from "../metrics/call-metrics.ts";

const systems: Readonly<Record<string, string>> = { grpc: "grpc", connect: "connectrpc" };

/** Of a call through the pipeline. */
export function callAttributes({ rpc, transport, requestId, clientId, outcome }: CallEvent): SpanAttributes {
  const system = systems[transport];
  return {
    ...(system === undefined ? {} : { "rpc.system.name": system }),
    "rpc.method": `assessment.v1.${rpc}`,
    "rpc.response.status_code": statusOf(outcome),
    "pas.door": transport,
    "pas.outcome": outcome,
    "pas.request_id": requestId,
    ...(clientId === undefined ? {} : { "pas.client_id": clientId }),
  };
}

/** Of a request on the HTTP port. The route is a template, never an address. */
export function requestAttributes({ route, method, status, requestId, code }: RequestEvent): SpanAttributes {
  return {
    "http.route": route,
    "http.request.method": method,
    ...(status === "gone" ? {} : { "http.response.status_code": status }),
    "pas.request_id": requestId,
    ...(code === undefined ? {} : { "pas.outcome": code }),
  };
}

/** Of a statement. @param sql with markers in the place of values */
export function statementAttributes(summary: string, sql: string): SpanAttributes {
  return { "db.system.name": "mysql", "db.query.summary": summary, "db.query.text": sql };
}

/** Whether a call failed for a reason of the service. */
export function hasCallFailed({ outcome }: Pick<CallEvent, "outcome">): boolean {
  return isFailure(outcome);
}

/** Whether a request failed for a reason of the service. */
export function hasRequestFailed({ status }: Pick<RequestEvent, "status">): boolean {
  return status !== "gone" && status >= 500;
}

function statusOf(outcome: Outcome): string {
  if (outcome === "ok") return "OK";
  const code = outcome === "caller_gone" ? undefined : errorRow(outcome).grpcCode;
  return code === undefined ? "CANCELLED" : codeToString(code).toUpperCase();
}
