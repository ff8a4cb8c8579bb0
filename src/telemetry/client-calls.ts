// Calls of each client, for operators who are asked why one partner's calls fail.
import { Counter, type Registry } from "prom-client";
import type { Outcome } from "../contract/call-event.ts";

/** Clients with a series of their own, in a process: as many as have called first since its start. */
const maxClients = 1_000;

const failures: ReadonlySet<Outcome> = new Set(["internal", "unavailable", "deadline_exceeded"]);

/** Counts a call. @param clientId undefined where the caller's token is unknown, or where it needs none */
export type ObserveClientCall = (clientId: string | undefined, outcome: Outcome) => void;

/** Adds the counter to the registers. A client beyond the first ones is `other`. */
export function clientCalls(registers: Registry[]): ObserveClientCall {
  const counter = new Counter({
    name: "pas_client_calls_total",
    help: "Calls by client and by class: ok, refused (for a reason of the caller's), failed (for one of the service's)",
    labelNames: ["client_id", "class"],
    registers,
  });
  const known = new Set<string>();
  return (clientId, outcome) => {
    if (clientId !== undefined && known.size < maxClients) known.add(clientId);
    counter.inc({ client_id: nameOf(clientId, known), class: classOf(outcome) });
  };
}

function nameOf(clientId: string | undefined, known: ReadonlySet<string>): string {
  if (clientId === undefined) return "none";
  return known.has(clientId) ? clientId : "other";
}

function classOf(outcome: Outcome): "ok" | "refused" | "failed" {
  if (outcome === "ok") return "ok";
  return failures.has(outcome) ? "failed" : "refused";
}
