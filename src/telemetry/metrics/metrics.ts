// Metrics for Prometheus. Labels have few values: no id but those of clients, no address, no text from outside.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { StoreObserver } from "../../database/connection.ts";
import type { MonotonicClock } from "../../kernel/environment.ts";
import { systemTimers } from "../../kernel/timers.ts";
import { type MetricsSnapshot, type MetricsText, metricsText } from "./exposition.ts";
import {
  type AdmissionMetrics,
  type CallMetrics,
  clientCalls,
  createAdmissionMetrics,
  createCallMetrics,
  createCoreMetrics,
  type ObserveClientCall,
  type ObserveCoreCall,
} from "./families/call-metrics.ts";
import { createClockMetrics, type DoubtReason } from "./families/clock-metrics.ts";
import { createEventMetrics, type EventMetrics } from "./families/event-metrics.ts";
import {
  type AuditMetrics,
  addProcessMetrics,
  createAuditMetrics,
  createDatabaseMetrics,
  createTracingMetrics,
  type ObserveSpans,
  type ProcessFacts,
} from "./families/process-metrics.ts";
import { createWebhookMetrics, type WebhookMetrics } from "./families/webhook-metrics.ts";

export interface Metrics extends CallMetrics {
  /** Counts a call for its client. */
  readonly observeClientCall: ObserveClientCall;
  /** Counts a call of a gateway to its core. */
  readonly observeCoreCall: ObserveCoreCall;
  /** Faults of the service itself, by what it was doing. */
  readonly defects: Counter<"what">;
  /** Every run of a background job, in seconds. The label `job` is Prometheus's own: it says whom it scraped. */
  readonly jobs: Histogram<"background_job" | "outcome">;
  /** Seconds from one run of a job to the next. */
  readonly jobIntervals: Gauge<"background_job">;
  /** When a job last did its work in this process, or else when the process started it, in seconds since 1970. */
  readonly jobSuccesses: Gauge<"background_job">;
  /** Tells why the database's clock is in doubt; undefined: it is not. */
  readonly clockDoubts: (reason: DoubtReason | undefined) => void;
  readonly database: StoreObserver;
  readonly admission: AdmissionMetrics;
  /** Sessions that were deleted, or lost a part, by a policy of their partner. */
  readonly deletedSessions: Counter<"mode" | "deleted">;
  /** Idempotency keys whose time was over. */
  readonly endedKeys: Counter;
  readonly events: EventMetrics;
  readonly observeSpans: ObserveSpans;
  readonly webhooks: WebhookMetrics;
  readonly audit: AuditMetrics;
  /** Adds gauges of what is read when the metrics are. */
  readonly addSources: (sources: MetricSources) => void;
  /** The answer of `/metrics`. */
  readonly scrape: (accept?: string) => Promise<MetricsText>;
  /** The same as data. */
  readonly snapshot: () => Promise<MetricsSnapshot>;
}

/** What there is to be read in a process; what it does not have, it does not tell. */
export interface MetricSources {
  /** Bytes of all requests that are arriving, by who sends them. */
  readonly arrivingBytes?: () => Readonly<Record<string, number>>;
  /** Connections of the database pool: in use, idle, and callers that wait for one. */
  readonly connections?: () => { used: number; free: number; pending: number };
  /** Calls that run, and calls that wait to be let in. */
  readonly calls?: () => { running: number; waiting: number };
  /** Calls that wait for events. */
  readonly eventWaiters?: () => number;
  /** Bytes that connections count as whose callers are not known. */
  readonly connectionBytes?: () => number;
}

/** What is known of a process from its start. */
export interface MetricFacts extends ProcessFacts {
  /** What statements are timed by; that of the process unless given. */
  readonly monotonic?: MonotonicClock;
  /** Rpcs that callers should leave, such as `SessionService/GetSession`. */
  readonly deprecated?: ReadonlySet<string>;
}

/** @param arrivingBytes of all requests that are arriving, by who sends them */
export function createMetrics(arrivingBytes: () => Readonly<Record<string, number>>, facts: MetricFacts = {}): Metrics {
  const registry = new Registry();
  // The library has examples of histograms in a registry of this type only.
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as typeof Registry.PROMETHEUS_CONTENT_TYPE);
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  addProcessMetrics(registers, facts);
  addSources(registers, { arrivingBytes });
  return {
    ...createCallMetrics(registers),
    observeClientCall: clientCalls(registers, facts.deprecated),
    observeCoreCall: createCoreMetrics(registers),
    defects: new Counter({
      name: "pas_defects_total",
      help: "Faults of the service itself, such as scoring that failed",
      labelNames: ["what"],
      registers,
    }),
    jobs: new Histogram({
      name: "pas_job_seconds",
      help: "Runs of background jobs by job and outcome (ok, failed, deadline_exceeded, stopped, held)",
      labelNames: ["background_job", "outcome"],
      buckets: [0.001, 0.01, 0.1, 1, 10, 60],
      registers,
    }),
    deletedSessions: new Counter({
      name: "pas_sessions_deleted_total",
      help: "Sessions of which this process deleted all, the answers or the results by a policy of their partner, by mode",
      labelNames: ["mode", "deleted"],
      registers,
    }),
    endedKeys: new Counter({
      name: "pas_idempotency_keys_deleted_total",
      help: "Idempotency keys that this process removed because their time was over",
      registers,
    }),
    jobSuccesses: new Gauge({
      name: "pas_job_last_success_timestamp_seconds",
      help: "When a background job last did its work in this process, or else when that started it",
      labelNames: ["background_job"],
      aggregator: "max",
      registers,
    }),
    jobIntervals: new Gauge({
      name: "pas_job_interval_seconds",
      help: "Time from one run of a background job to the next",
      labelNames: ["background_job"],
      aggregator: "max",
      registers,
    }),
    clockDoubts: createClockMetrics(registers),
    database: createDatabaseMetrics(registers, facts.monotonic ?? systemTimers.now),
    admission: createAdmissionMetrics(registers),
    events: createEventMetrics(registers),
    observeSpans: createTracingMetrics(registers),
    webhooks: createWebhookMetrics(registers),
    audit: createAuditMetrics(registers),
    addSources: (sources) => addSources(registers, sources),
    scrape: (accept) => metricsText(registry, accept),
    snapshot: () => registry.getMetricsAsJSON(),
  };
}

/** Adds gauges of what is read when the metrics are. */
function addSources(
  registers: Registry[],
  { arrivingBytes, connections, calls, eventWaiters, connectionBytes }: MetricSources,
): void {
  const gauge = (name: string, help: string, read: (() => number) | undefined) => {
    if (read === undefined) return;
    const collect = function collect(this: Gauge) {
      this.set(read());
    };
    new Gauge({ name, help, registers, collect });
  };
  type Read = () => Readonly<Record<string, number>>;
  const split = (name: string, help: string, label: string, read: Read | undefined) => {
    if (read === undefined) return;
    const collect = function collect(this: Gauge) {
      for (const [value, count] of Object.entries(read())) this.set({ [label]: value }, count);
    };
    new Gauge({ name, help, labelNames: [label], registers, collect });
  };
  const arriving = "Bytes held of requests that are still arriving, over every transport, by who sends them";
  split("pas_arriving_bytes", arriving, "sender", arrivingBytes);
  const connectionsHelp = "Connections of the database pool by state, and callers waiting";
  split("pas_database_connections", connectionsHelp, "state", connections);
  gauge("pas_event_waiters", "Calls of the feed that wait for an event", eventWaiters);
  split("pas_calls_in_flight", "Calls that run, and calls that wait to be let in", "state", calls);
  gauge("pas_connection_bytes", "Bytes that connections count as whose callers are not known", connectionBytes);
}
