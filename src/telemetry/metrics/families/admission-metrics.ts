// Metrics of admission: how long calls wait to be let in, and why they are not.
import { Counter, type Registry } from "prom-client";
import { Timings } from "../timings.ts";

export interface AdmissionMetrics {
  /** A call was let in that had to wait so many seconds. */
  readonly waited: (seconds: number) => void;
  /** A call was not let in: too many wait, it waited for too long, or its client has too many calls at a time. */
  readonly refused: (reason: "full" | "waited" | "client_share") => void;
}

/** The metrics of admission, in the registers. */
export function createAdmissionMetrics(registers: Registry[]): AdmissionMetrics {
  const waits = new Timings({
    name: "pas_admission_wait_seconds",
    help: "Time that calls waited to be let in, of those that had to wait and were let in",
    labelNames: [],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1],
    registers,
  });
  const refusals = new Counter({
    name: "pas_admission_refused_total",
    help: "Calls not let in, by reason (full, waited, client_share)",
    labelNames: ["reason"],
    registers,
  });
  return { waited: (seconds) => waits.observe([], seconds), refused: (reason) => refusals.inc({ reason }) };
}
