// Logs and counts background work: jobs, deliveries, connections, faults of the service, and the check
// of the clock. Lines contain ids of endpoints, never their URLs.
import type { ClockDoubt } from "../../database/clock.ts";
import type { ConnectionTrouble } from "../../database/database.ts";
import { type Job, type JobRun, jobOutcomes } from "../../jobs/job.ts";
import type { ReportDefect } from "../../kernel/environment.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { Logger } from "./logger.ts";

/** An observer that logs and counts. Successes are logged at debug level: metrics count them. */
export function jobObserver(log: Logger, metrics: Pick<Metrics, "jobs" | "jobSuccesses">): (run: JobRun) => void {
  return ({ job, outcome, seconds, endedAt, error }) => {
    metrics.jobs.observe({ background_job: job, outcome }, seconds);
    if (outcome === "ok") metrics.jobSuccesses.set({ background_job: job }, endedAt / 1000);
    const line = { job, outcome, ms: Math.round(seconds * 1e4) / 10, ...(error === undefined ? {} : { err: error }) };
    const level = outcome === "ok" ? "debug" : outcome === "stopped" || outcome === "held" ? "info" : "warn";
    log[level](line, "job");
  };
}

/**
 * An observer of started jobs. @param clock milliseconds since 1970; the start counts as a job's first success, so that one
 * which never runs is noticed by the age of its last success.
 */
export function startedJobObserver(
  metrics: Pick<Metrics, "jobIntervals" | "jobSuccesses">,
  clock: () => number,
): (job: Job) => void {
  return ({ name, intervalMs }) => {
    metrics.jobIntervals.set({ background_job: name }, intervalMs / 1000);
    metrics.jobSuccesses.set({ background_job: name }, clock() / 1000);
  };
}

/** An observer of jobs that are no longer scheduled: without their metrics, they are not reported as late. */
export function forgottenJobObserver(
  metrics: Pick<Metrics, "jobs" | "jobIntervals" | "jobSuccesses">,
): (job: string) => void {
  return (job) => {
    metrics.jobIntervals.remove({ background_job: job });
    metrics.jobSuccesses.remove({ background_job: job });
    for (const outcome of jobOutcomes) metrics.jobs.remove({ background_job: job, outcome });
  };
}

/** An observer that logs and sets the metrics. A step is an error: it stays until an operator confirms the clock. */
export function clockObserver(
  log: Logger,
  metrics: Pick<Metrics, "clockDoubts">,
): (doubt: ClockDoubt | undefined) => void {
  let last: ClockDoubt["reason"] | undefined;
  return (doubt) => {
    metrics.clockDoubts(doubt?.reason);
    if (doubt?.reason === last) return;
    last = doubt?.reason;
    if (doubt === undefined) log.info({ reason: null }, "the clock of the database is trusted again");
    else log[doubt.reason === "stepped" ? "error" : "warn"]({ reason: doubt.reason }, doubt.words);
  };
}

/** An observer that logs: as an error if somebody has to act, else as a warning for a temporary failure. */
export function connectionObserver(log: Logger): (trouble: ConnectionTrouble) => void {
  return ({ code, host, port, fault, isMisconfigured }) => {
    log[isMisconfigured ? "error" : "warn"]({ code, host, port }, fault);
  };
}

interface LoggedAttempt {
  readonly status: number | null;
  readonly error: string | null;
  readonly tookMs: number;
}

/** An observer of deliveries that logs and counts. Attempts are logged at debug level: metrics count them. */
export function deliveryObserver(log: Logger, { webhooks }: Pick<Metrics, "webhooks">) {
  return {
    attempted(endpointId: string, { status, error, tookMs }: LoggedAttempt, hasSucceeded: boolean) {
      const outcome = hasSucceeded ? "succeeded" : (error ?? "refused");
      webhooks.attempts.observe({ outcome }, tookMs / 1000);
      log.debug({ endpointId, outcome, status, ms: tookMs }, "webhook");
    },
    died(endpointId: string) {
      webhooks.dead.inc();
      log.info({ endpointId }, "a webhook is not tried any more");
    },
    disabled(endpointId: string, reason: string) {
      log.info({ endpointId, reason }, "a webhook endpoint was disabled");
    },
    unreadable(endpointId: string) {
      log.error({ endpointId }, "no key of WEBHOOK_KEY opens the secrets of a webhook endpoint");
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
    observeAnchor: anchorObserver(log),
  };
}

/** Counts and logs faults of the service itself. */
export function defectReporter(log: Logger, metrics: Metrics): ReportDefect {
  return (error, what) => {
    metrics.defects.inc({ what });
    log.error({ err: error, what }, "defect");
  };
}

interface LoggedAnchor {
  readonly sequence: number;
  readonly hash: Uint8Array;
}

/** An observer that logs. The line holds what `pas audit verify --head` takes. */
function anchorObserver(log: Logger): (anchor: LoggedAnchor) => void {
  return ({ sequence, hash }) =>
    log.info({ anchor: `${sequence}:${Buffer.from(hash).toString("hex")}` }, "audit anchor");
}
