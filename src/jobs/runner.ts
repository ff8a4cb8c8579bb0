// The one runner of background work in a process.

import type { RandomBytes } from "../kernel/environment.ts";
import type { JobLeaseStore } from "../store/jobs/job-lease-store.ts";
import type { Job } from "./job.ts";
import { type ScheduleDeps, ScheduledJob } from "./scheduled-job.ts";

export interface JobRunnerDeps extends Omit<ScheduleDeps, "random"> {
  /** Makes the jitter and the name under which this process holds leases. */
  readonly random: RandomBytes;
  /** Undefined: there is no database, and so no exclusive job. */
  readonly leases?: JobLeaseStore;
  /** Notified of every job that is started. */
  readonly observeStarted?: (job: Job) => void;
  /** Notified of every job that is forgotten, by its name. */
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

  /** Runs a job time after time, for the first time after one interval. Throws where its name is taken. */
  start(job: Job): void {
    if (this.#isStopped) throw new Error("the runner is stopped");
    if (this.#jobs.has(job.name)) throw new Error(`there is a job ${job.name} already`);
    const { random, leases, observeStarted, ...deps } = this.#deps;
    if (job.isExclusive && leases === undefined) throw new Error(`the job ${job.name} needs leases`);
    const access = job.isExclusive && leases !== undefined ? { store: leases, holder: this.#holder } : undefined;
    const fraction = () => (random(1)[0] ?? 0) / 256;
    this.#jobs.set(job.name, new ScheduledJob(job, { ...deps, random: fraction }, access));
    observeStarted?.(job);
  }

  /** Begins no further run, and lets the running ones end: their signals abort, and they have so many milliseconds. */
  async stop(patienceMs: number): Promise<void> {
    this.#isStopped = true;
    const patience = new AbortController();
    const cancel = this.#deps.timers.after(patienceMs, () => patience.abort());
    await Promise.all([...this.#jobs.values()].map((job) => job.stop(patience.signal)));
    cancel();
  }

  /** Once it is stopped: nobody is to be told of its jobs any more, as they are not to be done. */
  forget(): void {
    for (const name of this.#jobs.keys()) this.#deps.observeForgotten?.(name);
  }
}
