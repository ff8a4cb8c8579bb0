// Metrics for Prometheus. Labels have few values: no id but those of clients, no address, no text from outside.

import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { AggregatorRegistry, collectDefaultMetrics, Registry } from "prom-client";
import { type Clock, type MonotonicClock, systemTimers } from "../../kernel/environment.ts";
import { releaseVersion } from "../../kernel/release.ts";
import { createBackgroundMetrics } from "./background-metrics.ts";
import { createCallMetrics } from "./call-metrics.ts";
import { type Meters, metersOf } from "./meters.ts";

export type Metrics = ReturnType<typeof createMetrics>;

/** Values that are read at each scrape; those with a label are several, by its value. */
const sources = {
  arrivingBytes: {
    name: "pas_arriving_bytes",
    help: "Bytes held of requests that are still arriving, over every transport, by who sends them",
    labels: ["sender"],
  },
  connections: {
    name: "pas_database_connections",
    help: "Connections of the database pool by state, and callers waiting",
    labels: ["state"],
  },
  calls: {
    name: "pas_calls_in_flight",
    help: "Calls that run, and calls that wait for admission",
    labels: ["state"],
  },
  eventWaiters: { name: "pas_event_waiters", help: "Calls of the feed that wait for an event", labels: [] },
  connectionBytes: {
    name: "pas_connection_bytes",
    help: "Bytes that connections count as, by who calls there",
    labels: ["sender"],
  },
} as const;

/** Reads them; a process omits those that it does not have. */
export type MetricSources = {
  readonly [S in keyof typeof sources]?: () => number | Readonly<Record<string, number>>;
};

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

export function createMetrics(facts: MetricFacts = {}) {
  const registry = new Registry();
  if (facts.worker !== undefined) registry.setDefaultLabels({ worker: String(facts.worker) });
  collectDefaultMetrics({ register: registry });
  const meters = metersOf(registry);
  addProcessMetrics(meters, facts);
  return {
    ...createCallMetrics(meters, facts.monotonic ?? systemTimers.now, facts.deprecated ?? new Set()),
    ...createBackgroundMetrics(meters),
    /** Adds gauges whose values are read at each scrape. */
    addSources(reads: MetricSources) {
      for (const [source, read] of Object.entries(reads)) addSource(meters, source as keyof typeof sources, read);
    },
    /** The answer of `/metrics`. */
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    registry,
  };
}

function addSource(
  { gauge }: Meters,
  source: keyof typeof sources,
  read: NonNullable<MetricSources[keyof typeof sources]>,
): void {
  const { name, help, labels } = sources[source];
  const [label] = labels;
  gauge<string>(name, help, [...labels], (each) => {
    const values = read();
    if (typeof values === "number") each.set(values);
    else if (label !== undefined) {
      for (const [value, count] of Object.entries(values)) each.set({ [label]: value }, count);
    }
  });
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

export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** Answers scrapes of the primary from now on. In a worker only. @returns gives the metrics; until then there are none */
export function answerScrapes(): (registry: Registry) => void {
  // The library listens from its first registry of this kind on.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([]);
  return (registry) => AggregatorRegistry.setRegistries([registry]);
}

/** The metrics of all workers, for the primary. Rejects when one of them does not answer in five seconds. */
export function metricsOfWorkers(): () => Promise<MetricsText> {
  const workers = new AggregatorRegistry();
  return async () => ({ contentType: workers.contentType, text: await workers.clusterMetrics() });
}
