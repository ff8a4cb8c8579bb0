// Metrics of events.
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export interface EventMetrics {
  /** Tells of what this process brought into the log: the type of each event, and milliseconds from its write. */
  readonly observePublished: (published: readonly { readonly type: string; readonly lagMs: number }[]) => void;
  /** Age of the oldest write that is still to be announced, in seconds. */
  readonly unpublished: Gauge;
}

/** The metrics of events, in the registers. */
export function createEventMetrics(registers: Registry[]): EventMetrics {
  const published = new Counter({
    name: "pas_events_total",
    help: "Events that this process brought into the log, by type",
    labelNames: ["type"],
    registers,
  });
  const lag = new Histogram({
    name: "pas_event_lag_seconds",
    help: "Time from a write to its event in the log",
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
    registers,
  });
  const unpublished = new Gauge({
    name: "pas_events_unpublished_seconds",
    help: "Age of the oldest write that is still to be announced",
    registers,
  });
  return {
    observePublished(events) {
      for (const { type, lagMs } of events) {
        published.inc({ type });
        lag.observe(lagMs / 1000);
      }
    },
    unpublished,
  };
}
