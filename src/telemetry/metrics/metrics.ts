// Metrics for Prometheus. Labels have few values: no id but those of clients, no address, no text from outside.

import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { Clock, MonotonicClock } from "../../kernel/environment.ts";
import { releaseVersion } from "../../kernel/release.ts";
import { systemTimers } from "../../kernel/timers.ts";
import { createBackgroundMetrics } from "./background-metrics.ts";
import { createCallMetrics } from "./call-metrics.ts";
import { metricsText } from "./exposition.ts";
import { type Meters, metersOf } from "./meters.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** Values read at each scrape; a process omits those that it does not have. */
export interface MetricSources {
  /** Bytes of all requests that are arriving, by who sends them. */
  readonly arrivingBytes?: () => Readonly<Record<string, number>>;
  /** Connections of the database pool: in use, idle, and callers that wait for one. */
  readonly connections?: () => { used: number; free: number; pending: number };
  /** Calls that run, and calls that wait for admission. */
  readonly calls?: () => { running: number; waiting: number };
  /** Calls that wait for events. */
  readonly eventWaiters?: () => number;
  /** Bytes counted for connections whose callers are not known. */
  readonly connectionBytes?: () => number;
}

/** Facts known at the start of a process. */
export interface MetricFacts {
  /** Number of a process among several whose metrics are served together; a label of all its series. */
  readonly worker?: number | undefined;
  /** The clock for timing statements; that of the process by default. */
  readonly monotonic?: MonotonicClock;
  /** Deprecated rpcs, such as `SessionService/GetSession`. */
  readonly deprecated?: ReadonlySet<string>;
  /** Revision of the source; undefined if not configured. */
  readonly revision?: string | undefined;
  /** When the certificates of this process expire, in milliseconds since 1970, by their use. */
  readonly certificates?: Readonly<Record<string, number>>;
  /** The wall clock; that of the host by default. */
  readonly clock?: Clock;
}

/** @param arrivingBytes of all requests that are arriving, by who sends them */
export function createMetrics(arrivingBytes: () => Readonly<Record<string, number>>, facts: MetricFacts = {}) {
  const registry = new Registry();
  // The library supports exemplars only in a registry of this type.
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as typeof Registry.PROMETHEUS_CONTENT_TYPE);
  if (facts.worker !== undefined) registry.setDefaultLabels({ worker: String(facts.worker) });
  collectDefaultMetrics({ register: registry });
  const meters = metersOf(registry);
  addProcessMetrics(meters, facts);
  addSources(meters, { arrivingBytes });
  return {
    ...createCallMetrics(registry, meters, facts.monotonic ?? systemTimers.now, facts.deprecated ?? new Set()),
    ...createBackgroundMetrics(meters),
    /** Adds gauges whose values are read at each scrape. */
    addSources: (sources: MetricSources) => addSources(meters, sources),
    /** The answer of `/metrics`. */
    scrape: (accept?: string) => metricsText(registry, accept),
    registry,
  };
}

/** Adds gauges whose values are read at each scrape. */
function addSources({ gauge }: Meters, sources: MetricSources): void {
  const { arrivingBytes, connections, calls, eventWaiters, connectionBytes } = sources;
  const single = (name: string, help: string, read: (() => number) | undefined) => {
    if (read !== undefined) gauge(name, help, [], (each) => each.set(read()));
  };
  type Read = () => Readonly<Record<string, number>>;
  const split = (name: string, help: string, label: string, read: Read | undefined) => {
    if (read === undefined) return;
    gauge(name, help, [label], (each) => {
      for (const [value, count] of Object.entries(read())) each.set({ [label]: value }, count);
    });
  };
  const arriving = "Bytes held of requests that are still arriving, over every transport, by who sends them";
  split("pas_arriving_bytes", arriving, "sender", arrivingBytes);
  const connectionsHelp = "Connections of the database pool by state, and callers waiting";
  split("pas_database_connections", connectionsHelp, "state", connections);
  single("pas_event_waiters", "Calls of the feed that wait for an event", eventWaiters);
  split("pas_calls_in_flight", "Calls that run, and calls that wait for admission", "state", calls);
  single("pas_connection_bytes", "Bytes that connections count as whose callers are not known", connectionBytes);
}

/** Adds the metrics of the process. */
function addProcessMetrics(
  { gauge }: Meters,
  { revision = "unknown", certificates = {}, clock = Date.now }: MetricFacts,
): void {
  gauge("pas_build_info", "1, with the version of the release that runs, and the revision of its source", [
    "version",
    "revision",
  ]).set({ version: releaseVersion, revision }, 1);
  gauge(
    "pas_tls_expiry_seconds",
    "Time until a certificate of this process expires, by what shows it (grpc, gateway)",
    ["certificate"],
    (expiry) => {
      for (const [certificate, at] of Object.entries(certificates)) expiry.set({ certificate }, (at - clock()) / 1000);
    },
  );
}

/**
 * Milliseconds since 1970 at which each certificate expires; the first of a chain is the server's own. Rejects for a
 * file that cannot be read.
 * @param files PEM files, by their use; undefined for uses without one
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
