// Logs and counts background work: jobs, deliveries, connections, faults of the service, and the check
// of the clock. Lines contain ids of endpoints, never their URLs.
import type { ConnectionTrouble } from "../../database/database.ts";
import { type Job, type JobOutcome, type JobRun, JobSkipped, jobOutcomes } from "../../jobs/job.ts";
import type { Clock, ReportDefect } from "../../kernel/environment.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Logger } from "./logger.ts";

/**
 * Observers of jobs, as a runner takes them.
 * @param clock milliseconds since 1970; the start counts as a job's first success, so that one which never runs is noticed by
 * the age of its last success
 */
export function jobObservers(
  log: Logger,
  { jobs, jobIntervals, jobSuccesses }: Pick<Metrics, "jobs" | "jobIntervals" | "jobSuccesses">,
  clock: Clock,
) {
  return {
    /** Successes are logged at debug level: metrics count them. */
    observe({ job, outcome, seconds, endedAt, error }: JobRun) {
      jobs.observe({ background_job: job, outcome }, seconds);
      if (outcome === "ok") jobSuccesses.set({ background_job: job }, endedAt / 1000);
      const why = error instanceof JobSkipped ? { reason: error.message } : { err: error };
      const level = levels[outcome] ?? "warn";
      log[level]({ job, outcome, ms: Math.round(seconds * 1e4) / 10, ...why }, "job");
    },
    observeStarted({ name, intervalMs }: Job) {
      jobIntervals.set({ background_job: name }, intervalMs / 1000);
      jobSuccesses.set({ background_job: name }, clock() / 1000);
    },
    /** A job that is no longer scheduled: without its metrics, it is not reported as late. */
    observeForgotten(job: string) {
      jobIntervals.remove({ background_job: job });
      jobSuccesses.remove({ background_job: job });
      for (const outcome of jobOutcomes) jobs.remove({ background_job: job, outcome });
    },
  };
}

const levels: Partial<Record<JobOutcome, "debug" | "info">> = { ok: "debug", stopped: "info", skipped: "info" };

/** An observer of the fault of the clock, after every reading: logs when one begins or ends, and sets the metric. */
export function clockObserver(
  log: Logger,
  { clockDoubted }: Pick<Metrics, "clockDoubted">,
): (fault: string | undefined) => void {
  let isDoubted = false;
  return (fault) => {
    clockDoubted.set(fault === undefined ? 0 : 1);
    if (isDoubted === (fault !== undefined)) return;
    isDoubted = fault !== undefined;
    if (fault === undefined) log.info("the clocks of this host and of the database agree again");
    else log.warn(fault);
  };
}

/** An observer that logs: as an error if somebody has to act, else as a warning for a temporary failure. */
export function connectionObserver(log: Logger): (trouble: ConnectionTrouble) => void {
  return ({ code, host, port, fault, isMisconfigured }) => {
    log[isMisconfigured ? "error" : "warn"]({ code, host, port }, fault);
  };
}

/** An observer of deliveries that logs and counts. Attempts are logged at debug level: metrics count them. */
export function deliveryObserver(log: Logger, { webhooks }: Pick<Metrics, "webhooks">) {
  return {
    attempted(
      endpointId: string,
      {
        status,
        error,
        tookMs,
      }: { readonly status: number | null; readonly error: string | null; readonly tookMs: number },
      hasSucceeded: boolean,
    ) {
      const outcome = hasSucceeded ? "succeeded" : (error ?? "refused");
      webhooks.attempts.observe({ outcome }, tookMs / 1000);
      log.debug({ endpointId, outcome, status, ms: tookMs }, "webhook");
    },
    died(endpointId: string) {
      webhooks.dead.inc();
      log.info({ endpointId }, "a webhook was given up: its event can be redelivered");
    },
    disabled(endpointId: string, reason: string) {
      log.info({ endpointId, reason }, "a webhook endpoint was disabled");
    },
    unreadable(endpointId: string) {
      log.error(
        { endpointId },
        "no key of WEBHOOK_KEY opens the secrets of a webhook endpoint: add the key that sealed them",
      );
    },
  };
}

/** Observers of background work. */
export function backgroundObservers(log: Logger, metrics: Metrics) {
  return {
    observeUnpublished: (seconds: number) => metrics.events.unpublished.set(seconds),
    observeDeleted: ({ mode }: { readonly mode: string }, deleted: string, sessions: number) =>
      metrics.deletedSessions.inc({ mode, deleted }, sessions),
    observeEndedKeys: (keys: number) => metrics.endedKeys.inc(keys),
    /** The line holds what `pas audit verify --head` takes. */
    observeAnchor: ({ sequence, hash }: { readonly sequence: number; readonly hash: Uint8Array }) =>
      log.info({ anchor: `${sequence}:${Buffer.from(hash).toString("hex")}` }, "audit anchor"),
  };
}

/** Counts and logs faults of the service itself. */
export function defectReporter(log: Logger, metrics: Metrics): ReportDefect {
  return (error, what) => {
    metrics.defects.inc({ what });
    log.error({ err: error, what }, "defect");
  };
}
