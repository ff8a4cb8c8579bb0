// Metrics of events.
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

interface Published {
  /** Such as `session.created`. */
  readonly type: string;
  /** Null if it is not known any more. */
  readonly mode: string | null;
  readonly lagMs: number;
}

export interface EventMetrics {
  /** Tells of what this process brought into the log: whose each event is, and milliseconds from its write. */
  readonly observePublished: (published: readonly Published[]) => void;
  /** Age of the oldest write that is still to be published, in seconds. */
  readonly unpublished: Gauge;
}

/** The metrics of events, in the registers. */
export function createEventMetrics(registers: Registry[]): EventMetrics {
  const sessions = new Counter({
    name: "pas_sessions_total",
    help: "What happened to sessions, as this process brought it into the log, by mode and event",
    labelNames: ["mode", "event"],
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
    aggregator: "max",
    registers,
  });
  return {
    observePublished(events) {
      for (const { type, mode, lagMs } of events) {
        const [resource, event = ""] = type.split(".");
        if (resource === "session") sessions.inc({ mode: mode ?? "unknown", event });
        lag.observe(lagMs / 1000);
      }
    },
    unpublished,
  };
}
