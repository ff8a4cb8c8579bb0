// Metrics of the process itself: what runs, and what runs out.

import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { StoreObserver } from "../../../database/connection.ts";
import type { Clock, MonotonicClock } from "../../../kernel/environment.ts";
import { releaseVersion } from "../../../kernel/release.ts";

export interface ProcessFacts {
  /** Of the source that runs; undefined if nobody said. */
  readonly revision?: string | undefined;
  /** When the certificates that this process shows expire, in milliseconds since 1970, by what shows them. */
  readonly certificates?: Readonly<Record<string, number>>;
  /** The time of day; that of the host unless given. */
  readonly clock?: Clock;
}

/** Adds the metrics of the process to the registers. */
export function addProcessMetrics(
  registers: Registry[],
  { revision = "unknown", certificates = {}, clock = Date.now }: ProcessFacts,
): void {
  new Gauge({
    name: "pas_build_info",
    help: "1, with the version of the release that runs, and the revision of its source",
    labelNames: ["version", "revision"],
    aggregator: "max",
    registers,
  }).set({ version: releaseVersion, revision }, 1);
  new Gauge({
    name: "pas_tls_expiry_seconds",
    help: "Time until a certificate of this process expires, by what shows it (grpc, gateway)",
    labelNames: ["certificate"],
    aggregator: "min",
    registers,
    collect() {
      for (const [certificate, at] of Object.entries(certificates)) this.set({ certificate }, (at - clock()) / 1000);
    },
  });
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

/** Counts spans that were sent, or that no collector took. */
export type ObserveSpans = (outcome: "exported" | "failed", spans: number) => void;

/** The counter, in the registers. */
export function createTracingMetrics(registers: Registry[]): ObserveSpans {
  const counter = new Counter({
    name: "pas_spans_total",
    help: "Spans of traces, by what became of them (exported, failed)",
    labelNames: ["outcome"],
    registers,
  });
  return (outcome, spans) => counter.inc({ outcome }, spans);
}

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

/**
 * Milliseconds since 1970 at which each certificate expires; the first of a chain is the one that is shown. Rejects for a
 * file that cannot be read.
 * @param files PEM files, by what shows them; undefined for what shows none
 */
export async function certificateExpiries(
  files: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, number>> {
  const expiries: Record<string, number> = {};
  for (const [name, file] of Object.entries(files)) {
    if (file !== undefined) expiries[name] = Date.parse(new X509Certificate(await readFile(file)).validTo);
  }
  return expiries;
}
