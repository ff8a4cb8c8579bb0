// Jobs whose runs the test ends, on a runner whose time the test lets pass.
import { randomBytes } from "node:crypto";
import type { Job, JobRun } from "../../src/jobs/job.ts";
import { JobRunner } from "../../src/jobs/runner.ts";
import type { RandomBytes } from "../../src/kernel/environment.ts";
import type { JobLeaseStore } from "../../src/store/jobs/job-lease-store.ts";
import { newTimers } from "./measures/timers.ts";

/** The middle of all bytes: no jitter. */
export const steady: RandomBytes = (length) => Buffer.alloc(length, 128);

/** No other process has a lease. */
const free: JobLeaseStore = { takeLease: async () => true, releaseLease: async () => 0 };

interface RunnerOptions {
  /** The random bytes that jitter is made of. */
  readonly jitter?: RandomBytes;
  readonly leases?: JobLeaseStore;
  /** Is called with each run before it is kept. */
  readonly observe?: () => void;
}

/** A runner with time and runs of its own. */
export function newRunner({ jitter = steady, leases = free, observe = () => undefined }: RunnerOptions = {}) {
  const timers = newTimers();
  const runs: JobRun[] = [];
  const defects: unknown[] = [];
  const random: RandomBytes = (length) => (length === 16 ? randomBytes(length) : jitter(length));
  const stoppedJobs: string[] = [];
  const observers = {
    observe(run: JobRun) {
      observe();
      runs.push(run);
    },
    reportDefect: (error: unknown) => void defects.push(error),
    observeStarted: () => undefined,
    observeStopped: (job: string) => void stoppedJobs.push(job),
  };
  return { timers, runs, defects, stoppedJobs, runner: new JobRunner({ timers, random, leases, ...observers }) };
}

/** One run that has begun. */
export interface BegunRun {
  readonly at: number;
  readonly signal: AbortSignal;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

/** A job whose runs last until the test ends them. */
export function newJob(now: () => number, changes: Partial<Job> = {}) {
  const begun: BegunRun[] = [];
  const run = (signal: AbortSignal) => {
    const { promise, resolve: end, reject: fail } = Promise.withResolvers<void>();
    begun.push({ at: now(), signal, end, fail });
    return promise;
  };
  const job: Job = { name: "tidy", intervalMs: 1_000, deadlineMs: 400, run, ...changes };
  /** The run that began last. */
  const last = (): BegunRun => {
    const lastRun = begun.at(-1);
    if (lastRun === undefined) throw new Error("no run has begun");
    return lastRun;
  };
  return { job, begun, last };
}
