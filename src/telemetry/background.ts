// Metrics and log lines of work beside calls: jobs, events, webhooks, the audit log, connections, the clock, and faults of the
// service. Lines contain ids of endpoints, never their URLs.
import type { ConnectionFailure } from "../database/database.ts";
import { type Job, type JobRun, jobOutcomes } from "../jobs/job.ts";
import type { Clock } from "../kernel/environment.ts";
import type { Logger } from "./logger.ts";
import type { Meters } from "./meters.ts";

/** Observers of background work, with their metrics. @param clock milliseconds since 1970 */
export function createBackgroundTelemetry(meters: Meters, log: Logger, clock: Clock) {
  const { createCounter, createGauge } = meters;
  const defects = createCounter("pas_defects_total", "Faults of the service itself, such as scoring that failed", [
    "source",
  ]);
  const spans = createCounter("pas_spans_total", "Spans of traces by outcome (exported, failed)", ["outcome"]);
  const auditFailures = createCounter(
    "pas_audit_failures_total",
    "Statements that should have added to the audit log and did not: their calls were refused",
  );
  const clockSkewed = createGauge(
    "pas_clock_skewed",
    "1 while the clocks of this host and of the database differ, so that nothing is removed for its age, else 0",
  );
  let isClockSkewed = false;
  return {
    jobs: createJobObservers(meters, log, clock),
    upkeep: createUpkeepObservers(meters, log),
    observePublished: createEventObserver(meters),
    deliveries: createDeliveryObservers(meters, log),
    observeAuditFailure: () => auditFailures.inc(),
    /** Counts and logs a fault of the service itself. */
    reportDefect(error: unknown, source: string) {
      defects.inc({ source });
      log.error({ err: error, source }, "defect");
    },
    observeSpans: (outcome: "exported" | "failed", count: number) => spans.inc({ outcome }, count),
    /** The fault of the clock after a reading: it is logged when one begins or ends. */
    observeClock(fault: string | undefined) {
      clockSkewed.set(fault === undefined ? 0 : 1);
      if (isClockSkewed === (fault !== undefined)) return;
      isClockSkewed = fault !== undefined;
      if (fault === undefined) log.info("the clocks of this host and of the database agree again");
      else log.warn(fault);
    },
    /** Logs an error if an operator has to act, else a warning for a temporary failure. */
    observeConnection({ code, host, port, fault, isMisconfigured }: ConnectionFailure) {
      log[isMisconfigured ? "error" : "warn"]({ code, host, port }, fault);
    },
  };
}

function createJobObservers({ createGauge, createHistogram }: Meters, log: Logger, clock: Clock) {
  // Prometheus sets the label `job` itself, to the scrape target.
  const label = "background_job";
  const runs = createHistogram(
    "pas_job_seconds",
    "Runs of background jobs by job and outcome (ok, failed, deadline_exceeded)",
    [0.001, 0.01, 0.1, 1, 10, 60],
    [label, "outcome"],
  );
  const successes = createGauge(
    "pas_job_last_success_timestamp_seconds",
    "When a background job last did its work in this process, or else when that started it",
    [label],
  );
  const intervals = createGauge("pas_job_interval_seconds", "Time from one run of a background job to the next", [
    label,
  ]);
  return {
    /** Successes are logged at debug level: metrics count them. */
    observe({ job, outcome, seconds, error }: JobRun) {
      runs.observe({ [label]: job, outcome }, seconds);
      if (outcome === "ok") successes.set({ [label]: job }, clock() / 1000);
      log[outcome === "ok" ? "debug" : "warn"]({ job, outcome, ms: Math.round(seconds * 1e4) / 10, err: error }, "job");
    },
    /** The start counts as a first success, so that a job which never runs is noticed by the age of its last one. */
    observeStarted({ name, intervalMs }: Job) {
      intervals.set({ [label]: name }, intervalMs / 1000);
      successes.set({ [label]: name }, clock() / 1000);
    },
    /** A job that is no longer scheduled: without its metrics, it is not reported as late. */
    observeStopped(job: string) {
      intervals.remove({ [label]: job });
      successes.remove({ [label]: job });
      for (const outcome of jobOutcomes) runs.remove({ [label]: job, outcome });
    },
  };
}

/** Observers of what jobs find. */
function createUpkeepObservers({ createGauge }: Meters, log: Logger) {
  const unpublished = createGauge(
    "pas_events_unpublished_seconds",
    "Age of the oldest write whose event is not in the log yet",
  );
  return {
    observeUnpublished: (seconds: number) => unpublished.set(seconds),
    /** The line holds what `pas audit verify --head` takes. */
    observeAnchor: ({ sequence, hash }: { readonly sequence: number; readonly hash: Uint8Array }) =>
      log.info({ anchor: `${sequence}:${Buffer.from(hash).toString("hex")}` }, "audit anchor"),
  };
}

interface PublishedCounts {
  /** Such as `session.created`. */
  readonly type: string;
  /** Null if it is no longer known. */
  readonly mode: string | null;
  readonly lagMs: number;
}

/** Counts what this process added to the log of events. */
function createEventObserver({ createCounter, createHistogram }: Meters) {
  const sessions = createCounter(
    "pas_sessions_total",
    "What happened to sessions, as this process brought it into the log, by mode and event",
    ["mode", "event"],
  );
  const lag = createHistogram(
    "pas_event_lag_seconds",
    "Time from a write to its event in the log",
    [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
  );
  return (events: readonly PublishedCounts[]) => {
    for (const { type, mode, lagMs } of events) {
      const [resource, event = ""] = type.split(".");
      if (resource === "session") sessions.inc({ mode: mode ?? "unknown", event });
      lag.observe(lagMs / 1000);
    }
  };
}

interface AttemptOutcome {
  readonly status: number | null;
  readonly error: string | null;
  readonly tookMs: number;
}

function createDeliveryObservers({ createCounter, createGauge, createHistogram }: Meters, log: Logger) {
  const attempts = createHistogram(
    "pas_webhook_attempts_seconds",
    "Attempts to deliver webhooks by outcome (succeeded, refused, or why there was no response)",
    [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    ["outcome"],
  );
  const dead = createCounter(
    "pas_webhook_dead_total",
    "Events that an endpoint did not take and that are not tried any more",
  );
  return {
    endpoints: createGauge("pas_webhook_endpoints", "Webhook endpoints by state (healthy, down, disabled)", ["state"]),
    behind: createGauge(
      "pas_webhook_behind_seconds",
      "Age of the oldest event that a healthy webhook endpoint has not come to",
    ),
    /** Attempts are logged at debug level: metrics count them. */
    observeAttempt(endpointId: string, { status, error, tookMs }: AttemptOutcome, hasSucceeded: boolean) {
      const outcome = hasSucceeded ? "succeeded" : (error ?? "refused");
      attempts.observe({ outcome }, tookMs / 1000);
      log.debug({ endpointId, outcome, status, ms: tookMs }, "webhook");
    },
    observeDead(endpointId: string) {
      dead.inc();
      log.info({ endpointId }, "a webhook was given up: its event can be redelivered");
    },
    observeDisabled(endpointId: string, reason: string) {
      log.info({ endpointId, reason }, "a webhook endpoint was disabled");
    },
    observeUnreadable(endpointId: string) {
      log.error(
        { endpointId },
        "no key of WEBHOOK_KEY opens the secrets of a webhook endpoint: add the key that sealed them",
      );
    },
  };
}
