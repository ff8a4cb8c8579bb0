// Metrics for Prometheus. Labels have few values: no id but those of clients, no address, no text from outside.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { releaseVersion } from "../contract/release.ts";
import { clientCalls, type ObserveClientCall } from "./client-calls.ts";
import { createEventMetrics, type EventMetrics } from "./event-metrics.ts";
import { createWebhookMetrics, type WebhookMetrics } from "./webhook-metrics.ts";

export interface Metrics {
  /** Counts a call through the pipeline, with its seconds. */
  readonly observeCall: (rpc: string, door: string, outcome: string, seconds: number) => void;
  /** Counts the same call for its client. */
  readonly observeClientCall: ObserveClientCall;
  /** Counts a request on the HTTP port, with its seconds. */
  readonly observeRequest: (route: string, method: string, status: number | "gone", seconds: number) => void;
  /** Faults of the service itself, by what it was doing. */
  readonly defects: Counter<"what">;
  /** Every run of a background job, in seconds. The label `job` is Prometheus's own: it says whom it scraped. */
  readonly jobs: Histogram<"background_job" | "outcome">;
  /** When a job last did its work in this process, in seconds since 1970. */
  readonly jobSuccesses: Gauge<"background_job">;
  readonly events: EventMetrics;
  readonly webhooks: WebhookMetrics;
  /** The text of `/metrics`. */
  readonly text: () => Promise<string>;
}

/** What there is in a process with a pipeline. */
export interface MetricSources {
  /** Connections of the database pool: in use, idle, and callers that wait for one. */
  readonly connections: () => { used: number; free: number; pending: number };
  /** Calls that run, and calls that wait to be let in. */
  readonly calls: () => { running: number; waiting: number };
  /** Calls that wait for events. */
  readonly eventWaiters: () => number;
}

/** Finding a series by its labels costs more than counting in it. There are as many as the registry holds. */
function seriesOf<L extends string>(histogram: Histogram<L>) {
  const series = new Map<string, Histogram.Internal<L>>();
  return (key: string, labels: Record<L, string>): Histogram.Internal<L> => {
    const known = series.get(key) ?? histogram.labels(labels);
    series.set(key, known);
    return known;
  };
}

/**
 * @param arrivingBytes of all requests that are arriving
 * @param sources a gateway of its own has none
 */
export function createMetrics(arrivingBytes: () => number, sources?: MetricSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const calls = new Histogram({
    name: "pas_calls_seconds",
    help: "Calls through the pipeline by rpc, door and outcome (ok, caller_gone, or a code of the error table)",
    labelNames: ["rpc", "door", "outcome"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  new Gauge({
    name: "pas_build_info",
    help: "1, with the version of the release that runs",
    labelNames: ["version"],
    registers,
  }).set({ version: releaseVersion }, 1);
  const requests = new Histogram({
    name: "pas_http_requests_seconds",
    help: "Requests on the HTTP port by route, method and status (gone: the caller left before the response)",
    labelNames: ["route", "method", "status"],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const defects = new Counter({
    name: "pas_defects_total",
    help: "Faults of the service itself, such as scoring that failed",
    labelNames: ["what"],
    registers,
  });
  new Gauge({
    name: "pas_arriving_bytes",
    help: "Bytes held of requests that are still arriving, over every door",
    registers,
    collect() {
      this.set(arrivingBytes());
    },
  });
  const jobs = new Histogram({
    name: "pas_job_seconds",
    help: "Runs of background jobs by job and outcome (ok, failed, deadline_exceeded, stopped)",
    labelNames: ["background_job", "outcome"],
    buckets: [0.001, 0.01, 0.1, 1, 10, 60],
    registers,
  });
  const jobSuccesses = new Gauge({
    name: "pas_job_last_success_timestamp_seconds",
    help: "When a background job last did its work in this process",
    labelNames: ["background_job"],
    registers,
  });
  const events = createEventMetrics(registers);
  const webhooks = createWebhookMetrics(registers);
  if (sources !== undefined) {
    const gauge = (name: string, help: string, read: () => Record<string, number>) =>
      new Gauge({
        name,
        help,
        labelNames: ["state"],
        registers,
        collect() {
          for (const [state, count] of Object.entries(read())) this.set({ state }, count);
        },
      });
    const { connections, calls: inFlight, eventWaiters } = sources;
    gauge(
      "pas_database_connections",
      "Connections of the database pool by state, and callers waiting for one",
      connections,
    );
    new Gauge({
      name: "pas_event_waiters",
      help: "Calls of the feed that wait for an event",
      registers,
      collect() {
        this.set(eventWaiters());
      },
    });
    gauge("pas_calls_in_flight", "Calls that run, and calls that wait to be let in", inFlight);
  }
  const callSeries = seriesOf(calls);
  const requestSeries = seriesOf(requests);
  return {
    observeCall: (rpc, door, outcome, seconds) =>
      callSeries(`${rpc} ${door} ${outcome}`, { rpc, door, outcome }).observe(seconds),
    observeClientCall: clientCalls(registers),
    observeRequest: (route, method, status, seconds) =>
      requestSeries(`${route} ${method} ${status}`, { route, method, status: String(status) }).observe(seconds),
    defects,
    jobs,
    jobSuccesses,
    events,
    webhooks,
    text: () => registry.metrics(),
  };
}
