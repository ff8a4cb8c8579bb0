// Metrics of the audit log.
import { Counter, Histogram, type Registry } from "prom-client";

export interface AuditMetrics {
  /** Tells of a statement that adds to the audit log. */
  readonly observeAppended: (records: number, isStored: boolean) => void;
}

/** The metrics of the audit log, in the registers. */
export function createAuditMetrics(registers: Registry[]): AuditMetrics {
  const batches = new Histogram({
    name: "pas_audit_batch_records",
    help: "Records of the audit log that were stored together",
    buckets: [1, 2, 4, 8, 16, 32],
    registers,
  });
  const failures = new Counter({
    name: "pas_audit_failures_total",
    help: "Statements that should have added to the audit log and did not: their calls were refused",
    registers,
  });
  return {
    observeAppended(records, isStored) {
      if (isStored) batches.observe(records);
      else failures.inc();
    },
  };
}
