// Calls of each client, for operators who are asked why one partner's calls fail.
import { Counter, type Registry } from "prom-client";
import type { CallEvent, Outcome } from "../../../kernel/telemetry/call-event.ts";

/** Clients with a series of their own, in a process: as many as have called first since its start. */
const maxClients = 1_000;

const failures: ReadonlySet<Outcome> = new Set(["internal", "unavailable", "deadline_exceeded"]);

/** Counts a call; one without a client id has a token that is unknown, or needs none. */
export type ObserveClientCall = (call: Pick<CallEvent, "rpc" | "clientId" | "outcome">) => void;

/**
 * Adds the counters to the registers. A client beyond the first ones is `other`.
 * @param deprecated rpcs that clients should leave, such as `SessionService/GetSession`
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

/** Whether an outcome is for a reason of the service. */
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
