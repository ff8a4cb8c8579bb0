// Metrics of background work: jobs, events, webhooks, the audit log, traces, and the check of the clock.
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** The metrics of work beside calls, in the registers. */
export function createBackgroundMetrics(registers: Registry[]) {
  return {
    defects: new Counter({
      name: "pas_defects_total",
      help: "Faults of the service itself, such as scoring that failed",
      labelNames: ["what"],
      registers,
    }),
    jobs: new Histogram({
      name: "pas_job_seconds",
      help: "Runs of background jobs by job and outcome (ok, failed, deadline_exceeded, stopped, held)",
      // Prometheus sets the label `job` itself, to the scrape target.
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
      registers,
    }),
    jobIntervals: new Gauge({
      name: "pas_job_interval_seconds",
      help: "Time from one run of a background job to the next",
      labelNames: ["background_job"],
      registers,
    }),
    clockDoubts: createClockMetrics(registers),
    events: createEventMetrics(registers),
    observeSpans: createTracingMetrics(registers),
    webhooks: createWebhookMetrics(registers),
    audit: createAuditMetrics(registers),
  };
}

interface Published {
  /** Such as `session.created`. */
  readonly type: string;
  /** Null if it is no longer known. */
  readonly mode: string | null;
  readonly lagMs: number;
}

/** The metrics of events, in the registers. */
export function createEventMetrics(registers: Registry[]) {
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
    registers,
  });
  return {
    /** Counts what this process added to the log. */
    observePublished(events: readonly Published[]) {
      for (const { type, mode, lagMs } of events) {
        const [resource, event = ""] = type.split(".");
        if (resource === "session") sessions.inc({ mode: mode ?? "unknown", event });
        lag.observe(lagMs / 1000);
      }
    },
    unpublished,
  };
}

/** The metrics of webhooks, in the registers. */
function createWebhookMetrics(registers: Registry[]) {
  return {
    attempts: new Histogram({
      name: "pas_webhook_attempts_seconds",
      help: "Attempts to deliver webhooks by outcome (succeeded, refused, or why there was no response)",
      labelNames: ["outcome"],
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    dead: new Counter({
      name: "pas_webhook_dead_total",
      help: "Events that an endpoint did not take and that are not tried any more",
      registers,
    }),
    endpoints: new Gauge({
      name: "pas_webhook_endpoints",
      help: "Webhook endpoints by state (healthy, down, disabled)",
      labelNames: ["state"],
      registers,
    }),
    behind: new Gauge({
      name: "pas_webhook_behind_seconds",
      help: "Age of the oldest event that a healthy webhook endpoint has not come to",
      registers,
    }),
  };
}

const reasons = ["stepped", "disagrees"] as const;

/** The gauge of clock doubt by reason, in the registers; undefined clears it. */
function createClockMetrics(registers: Registry[]) {
  const doubts = new Gauge({
    name: "pas_clock_doubted",
    help: "1 while the clock of the database is in doubt for a reason (stepped, disagrees), else 0",
    labelNames: ["reason"],
    registers,
  });
  return (doubted: (typeof reasons)[number] | undefined) => {
    for (const reason of reasons) doubts.set({ reason }, doubted === reason ? 1 : 0);
  };
}

/** Counts spans that were exported, or failed to be. */
function createTracingMetrics(registers: Registry[]) {
  const counter = new Counter({
    name: "pas_spans_total",
    help: "Spans of traces, by what became of them (exported, failed)",
    labelNames: ["outcome"],
    registers,
  });
  return (outcome: "exported" | "failed", spans: number) => counter.inc({ outcome }, spans);
}

/** The metrics of the audit log, in the registers. */
function createAuditMetrics(registers: Registry[]) {
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
    /** Counts a statement that adds to the audit log. */
    observeAppended(records: number, isStored: boolean) {
      if (isStored) batches.observe(records);
      else failures.inc();
    },
  };
}
