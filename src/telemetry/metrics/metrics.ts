// Metrics for Prometheus. Labels have few values: no id but those of clients, no address, no text from outside.

import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { MonotonicClock } from "../../kernel/environment.ts";
import { systemTimers } from "../../kernel/timers.ts";
import { metricsText } from "./exposition.ts";
import { createBackgroundMetrics } from "./families/background-metrics.ts";
import {
  clientCalls,
  createAdmissionMetrics,
  createCallMetrics,
  createCoreMetrics,
  createDatabaseMetrics,
} from "./families/call-metrics.ts";
import { addProcessMetrics, type ProcessFacts } from "./families/process-metrics.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** Values read at each scrape; a process omits those that it does not have. */
export interface MetricSources {
  /** Bytes of all requests that are arriving, by who sends them. */
  readonly arrivingBytes?: () => Readonly<Record<string, number>>;
  /** Connections of the database pool: in use, idle, and callers that wait for one. */
  readonly connections?: () => { used: number; free: number; pending: number };
  /** Calls that run, and calls that wait to be let in. */
  readonly calls?: () => { running: number; waiting: number };
  /** Calls that wait for events. */
  readonly eventWaiters?: () => number;
  /** Bytes counted for connections whose callers are not known. */
  readonly connectionBytes?: () => number;
}

/** Facts known at the start of a process. */
export interface MetricFacts extends ProcessFacts {
  /** Number of a process among several whose metrics are served together; a label of all its series. */
  readonly worker?: number | undefined;
  /** The clock for timing statements; that of the process by default. */
  readonly monotonic?: MonotonicClock;
  /** Deprecated rpcs, such as `SessionService/GetSession`. */
  readonly deprecated?: ReadonlySet<string>;
}

/** @param arrivingBytes of all requests that are arriving, by who sends them */
export function createMetrics(arrivingBytes: () => Readonly<Record<string, number>>, facts: MetricFacts = {}) {
  const registry = new Registry();
  // The library supports exemplars only in a registry of this type.
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as typeof Registry.PROMETHEUS_CONTENT_TYPE);
  collectDefaultMetrics({ register: registry });
  if (facts.worker !== undefined) registry.setDefaultLabels({ worker: String(facts.worker) });
  const registers = [registry];
  addProcessMetrics(registers, facts);
  addSources(registers, { arrivingBytes });
  return {
    ...createCallMetrics(registers),
    ...createBackgroundMetrics(registers),
    observeClientCall: clientCalls(registers, facts.deprecated),
    observeCoreCall: createCoreMetrics(registers),
    database: createDatabaseMetrics(registers, facts.monotonic ?? systemTimers.now),
    admission: createAdmissionMetrics(registers),
    /** Adds gauges whose values are read at each scrape. */
    addSources: (sources: MetricSources) => addSources(registers, sources),
    /** The answer of `/metrics`. */
    scrape: (accept?: string) => metricsText(registry, accept),
    registry,
  };
}

/** Adds gauges whose values are read at each scrape. */
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
