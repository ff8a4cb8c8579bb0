// The metrics, logs and traces of a process. Labels of metrics have few values: no id but those of clients, no address, no text
// from outside.

import { X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { AggregatorRegistry, collectDefaultMetrics, Registry } from "prom-client";
import type { Config } from "../config.ts";
import { type Clock, type MonotonicClock, monotonic as systemMonotonic } from "../kernel/environment.ts";
import { releaseVersion } from "../kernel/release.ts";
import { createBackgroundTelemetry } from "./background.ts";
import { createCallTelemetry } from "./calls.ts";
import type { Logger } from "./logger.ts";
import { createMeters } from "./meters.ts";
import type { Tracing, TracingOptions } from "./spans.ts";

export type Telemetry = ReturnType<typeof createTelemetry>;

/** Gauges whose values are read at each scrape: name, help and label. */
const scrapedGauges = {
  arrivingBytes: [
    "pas_arriving_bytes",
    "Bytes held of requests that are still arriving, over every transport, by who sends them",
    "sender",
  ],
  connections: ["pas_database_connections", "Connections of the database pool by state, and callers waiting", "state"],
  calls: ["pas_calls_in_flight", "Calls that run, wait for admission, and wait for events or servers (idle)", "state"],
  tlsExpiry: [
    "pas_tls_expiry_seconds",
    "Time until a certificate of this process expires, by what shows it (grpc, gateway)",
    "certificate",
  ],
  connectionBytes: ["pas_connection_bytes", "Bytes that connections count as, by who calls there", "sender"],
} as const;

/** Facts known at the start of a process. */
export interface ProcessInfo {
  readonly monotonic?: MonotonicClock;
  /** Number of a process among several whose metrics are served together; a label of all its series. */
  readonly worker?: number | undefined;
  /** Revision of the source; undefined if not configured. */
  readonly revision?: string | undefined;
  /** When the certificates of this process expire, in milliseconds since 1970, by their use. */
  readonly certificates?: Readonly<Record<string, number>>;
  /** The wall clock; that of the host by default. */
  readonly clock?: Clock;
}

export function createTelemetry(log: Logger, info: ProcessInfo = {}) {
  const { worker, revision = "unknown", certificates = {} } = info;
  const { monotonic = systemMonotonic, clock = Date.now } = info;
  const registry = new Registry();
  if (worker !== undefined) registry.setDefaultLabels({ worker: String(worker) });
  collectDefaultMetrics({ register: registry });
  const meters = createMeters(registry);
  const about = "1, with the version of the release that runs, and the revision of its source";
  meters.createGauge("pas_build_info", about, ["version", "revision"]).set({ version: releaseVersion, revision }, 1);
  /** Adds a gauge whose values, by label, are read at each scrape. */
  const addSource = (source: keyof typeof scrapedGauges, read: () => Readonly<Record<string, number>>) => {
    const [name, help, label] = scrapedGauges[source];
    meters.createGauge<string>(name, help, [label], function collect() {
      for (const [value, count] of Object.entries(read())) this.set({ [label]: value }, count);
    });
  };
  const computeSecondsLeft = ([name, at]: [string, number]) => [name, (at - clock()) / 1000] as const;
  addSource("tlsExpiry", () => Object.fromEntries(Object.entries(certificates).map(computeSecondsLeft)));
  const background = createBackgroundTelemetry(meters, log, clock);
  return {
    ...createCallTelemetry(meters, log, monotonic, background.reportDefect),
    ...background,
    addSource,
    /** The answer of `/metrics`. */
    scrape: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
    registry,
  };
}

/**
 * Milliseconds since 1970 at which each certificate expires; the first of a chain is the server's own. Rejects for a
 * file that cannot be read.
 * @param files PEM files, by their use; undefined for uses without one
 */
export async function readCertificateExpiries(
  files: Readonly<Record<string, string | undefined>>,
): Promise<Record<string, number>> {
  const expiries: Record<string, number> = {};
  for (const [name, file] of Object.entries(files)) {
    if (file !== undefined) expiries[name] = Date.parse(new X509Certificate(await readFile(file)).validTo);
  }
  return expiries;
}

/** Answers scrapes of the primary from now on. In a worker only. @returns gives the metrics; until then there are none */
export function serveScrapes(): (registry: Registry) => void {
  // The library listens from its first registry of this kind on.
  new AggregatorRegistry();
  AggregatorRegistry.setRegistries([]);
  return (registry) => AggregatorRegistry.setRegistries([registry]);
}

/** The metrics of all workers, for the primary. Rejects when one of them does not answer in five seconds. */
export function createWorkerMetrics() {
  const workers = new AggregatorRegistry();
  return async () => ({ contentType: workers.contentType, text: await workers.clusterMetrics() });
}

/** Starts tracing if a collector is configured and nothing turns it off; otherwise its code is not loaded. */
export async function openTracing(config: Config, observe: TracingOptions["observe"]): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_TRACES_SAMPLER: sampler } = config;
  const url = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base}/v1/traces`);
  const isOff = config.OTEL_SDK_DISABLED || config.OTEL_TRACES_EXPORTER === "none" || sampler === "always_off";
  if (url === undefined || isOff) return undefined;
  const { startTracing } = await import("./spans.ts");
  const share = sampler.endsWith("always_on") ? 1 : config.OTEL_TRACES_SAMPLER_ARG;
  return startTracing({ url, serviceName: config.OTEL_SERVICE_NAME, share, random: Math.random, observe });
}
