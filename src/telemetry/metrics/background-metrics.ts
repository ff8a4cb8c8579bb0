// Metrics of work beside calls: jobs, events, webhooks, the audit log, traces, and the check of the clock.
import type { Meters } from "./meters.ts";

interface Published {
  /** Such as `session.created`. */
  readonly type: string;
  /** Null if it is no longer known. */
  readonly mode: string | null;
  readonly lagMs: number;
}

export function createBackgroundMetrics(meters: Meters) {
  const { counter, gauge } = meters;
  const spans = counter("pas_spans_total", "Spans of traces, by what became of them (exported, failed)", ["outcome"]);
  return {
    ...jobMetrics(meters),
    events: eventMetrics(meters),
    webhooks: webhookMetrics(meters),
    audit: auditMetrics(meters),
    defects: counter("pas_defects_total", "Faults of the service itself, such as scoring that failed", ["what"]),
    deletedSessions: counter(
      "pas_sessions_deleted_total",
      "Sessions of which this process deleted all, the answers or the results by a policy of their partner, by mode",
      ["mode", "deleted"],
    ),
    endedKeys: counter(
      "pas_idempotency_keys_deleted_total",
      "Idempotency keys that this process removed because their time was over",
    ),
    clockDoubted: gauge(
      "pas_clock_doubted",
      "1 while the clocks of this host and of the database differ, so that nothing is removed for its age, else 0",
    ),
    observeSpans: (outcome: "exported" | "failed", count: number) => spans.inc({ outcome }, count),
  };
}

function jobMetrics({ gauge, histogram }: Meters) {
  // Prometheus sets the label `job` itself, to the scrape target.
  const label = "background_job";
  return {
    jobs: histogram(
      "pas_job_seconds",
      "Runs of background jobs by job and outcome (ok, failed, deadline_exceeded, stopped, skipped)",
      [0.001, 0.01, 0.1, 1, 10, 60],
      [label, "outcome"],
    ),
    jobSuccesses: gauge(
      "pas_job_last_success_timestamp_seconds",
      "When a background job last did its work in this process, or else when that started it",
      [label],
    ),
    jobIntervals: gauge("pas_job_interval_seconds", "Time from one run of a background job to the next", [label]),
  };
}

function eventMetrics({ counter, gauge, histogram }: Meters) {
  const sessions = counter(
    "pas_sessions_total",
    "What happened to sessions, as this process brought it into the log, by mode and event",
    ["mode", "event"],
  );
  const lag = histogram(
    "pas_event_lag_seconds",
    "Time from a write to its event in the log",
    [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  );
  return {
    /** Counts what this process added to the log. */
    observePublished(events: readonly Published[]) {
      for (const { type, mode, lagMs } of events) {
        const [resource, event = ""] = type.split(".");
        if (resource === "session") sessions.inc({ mode: mode ?? "unknown", event });
        lag.observe(lagMs / 1000);
      }
    },
    unpublished: gauge("pas_events_unpublished_seconds", "Age of the oldest write whose event is not in the log yet"),
  };
}

function webhookMetrics({ counter, gauge, histogram }: Meters) {
  return {
    attempts: histogram(
      "pas_webhook_attempts_seconds",
      "Attempts to deliver webhooks by outcome (succeeded, refused, or why there was no response)",
      [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      ["outcome"],
    ),
    dead: counter("pas_webhook_dead_total", "Events that an endpoint did not take and that are not tried any more"),
    endpoints: gauge("pas_webhook_endpoints", "Webhook endpoints by state (healthy, down, disabled)", ["state"]),
    behind: gauge(
      "pas_webhook_behind_seconds",
      "Age of the oldest event that a healthy webhook endpoint has not come to",
    ),
  };
}

function auditMetrics({ counter, histogram }: Meters) {
  const help = "Records of the audit log that were stored together";
  const batches = histogram("pas_audit_batch_records", help, [1, 2, 4, 8, 16, 32]);
  const failures = counter(
    "pas_audit_failures_total",
    "Statements that should have added to the audit log and did not: their calls were refused",
  );
  return {
    /** Counts a statement that adds to the audit log. */
    observeAppended(records: number, isStored: boolean) {
      if (isStored) batches.observe(records);
      else failures.inc();
    },
  };
}
