// The runner of all background jobs in a process.

import type { RandomBytes } from "../kernel/environment.ts";
import type { JobLeaseStore } from "../store/jobs/job-lease-store.ts";
import type { Job } from "./job.ts";
import { type ScheduleDeps, ScheduledJob } from "./scheduled-job.ts";

export interface JobRunnerDeps extends Omit<ScheduleDeps, "random"> {
  /** Makes the jitter, and the id under which this process holds leases. */
  readonly random: RandomBytes;
  /** The leases of exclusive jobs. */
  readonly leases: JobLeaseStore;
  /** Called for every job that is started. */
  readonly observeStarted?: (job: Job) => void;
  /** Called for every job that is forgotten, with its name. */
  readonly observeForgotten?: (job: string) => void;
}

export class JobRunner {
  readonly #deps: JobRunnerDeps;
  readonly #holder: Uint8Array;
  readonly #jobs = new Map<string, ScheduledJob>();
  #isStopped = false;

  constructor(deps: JobRunnerDeps) {
    this.#deps = deps;
    this.#holder = Uint8Array.from(deps.random(16));
  }

  /** Runs a job at its interval, for the first time after one interval. Throws if its name is taken. */
  start(job: Job): void {
    if (this.#isStopped) throw new Error("the runner is stopped");
    if (this.#jobs.has(job.name)) throw new Error(`there is a job ${job.name} already`);
    const { random, leases, observeStarted, ...deps } = this.#deps;
    const access = job.isExclusive ? { store: leases, holder: this.#holder } : undefined;
    const fraction = () => (random(1)[0] ?? 0) / 256;
    this.#jobs.set(job.name, new ScheduledJob(job, { ...deps, random: fraction }, access));
    observeStarted?.(job);
  }

  /** Starts no further run, aborts the signals of the running ones, and waits for their end up to the given milliseconds. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopped = true;
    const timeout = new AbortController();
    const cancel = this.#deps.timers.after(timeoutMs, () => timeout.abort());
    await Promise.all([...this.#jobs.values()].map((job) => job.stop(timeout.signal)));
    cancel();
  }

  /** Call it after a stop: removes the jobs from monitoring, since they no longer run. */
  forget(): void {
    for (const name of this.#jobs.keys()) this.#deps.observeForgotten?.(name);
  }
}
