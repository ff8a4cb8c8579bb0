// One line and one count for every run of a background job.
import type { Job, JobRun } from "../../jobs/job.ts";
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
 * An observer of jobs that are started, by a clock of milliseconds since 1970. Until its first success a job's last one is the start of its process, so one that
 * never runs is seen by the age of that.
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
